// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;

/**
 * Sockets whose blocked reads and writes end when their thread is interrupted ({@link
 * java.nio.channels.InterruptibleChannel}). With ordinary ones a task that waits for a stopped
 * server could not be cancelled, and Flink would end the whole TaskManager after {@code
 * task.cancellation.timeout}. Instantiated by the PostgreSQL driver (its property {@code
 * socketFactory}).
 */
public final class InterruptibleSockets extends SocketFactory {

  /** For the driver. */
  public InterruptibleSockets() {}

  @Override
  public Socket createSocket() throws IOException {
    return SocketChannel.open().socket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connected(
        new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connected(
        new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
  }

  private Socket connected(InetSocketAddress remote, InetSocketAddress local) throws IOException {
    Socket socket = createSocket();
    if (local != null) {
      socket.bind(local);
    }
    socket.connect(remote);
    return socket;
  }
}
