// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Map;
import javax.net.SocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets whose blocked reads and writes end when their thread is interrupted ({@link
 * java.nio.channels.InterruptibleChannel}). With ordinary ones a task that waits for a stopped
 * server could not be cancelled, and Flink would end the whole TaskManager after {@code
 * task.cancellation.timeout}. Instantiated by the PostgreSQL driver (its property {@code
 * socketFactory}).
 */
public final class InterruptibleSockets extends SocketFactory {

  private static final Logger LOG = LoggerFactory.getLogger(InterruptibleSockets.class);

  /**
   * With the driver's {@code tcpKeepAlive}: a host that is gone is missed after two minutes, not
   * after two hours. By name, for not every platform has them.
   */
  private static final Map<String, Integer> KEEP_ALIVE =
      Map.of("TCP_KEEPIDLE", 60, "TCP_KEEPINTERVAL", 20, "TCP_KEEPCOUNT", 3);

  /** For the driver. */
  public InterruptibleSockets() {}

  @Override
  public Socket createSocket() throws IOException {
    SocketChannel channel = SocketChannel.open();
    KEEP_ALIVE.forEach((name, value) -> setIfKnown(channel, name, value));
    return channel.socket();
  }

  @SuppressWarnings("unchecked")
  private static void setIfKnown(SocketChannel channel, String name, int value) {
    channel.supportedOptions().stream()
        .filter(option -> option.name().equals(name) && option.type() == Integer.class)
        .findAny()
        .ifPresent(
            option -> {
              try {
                channel.setOption((SocketOption<Integer>) option, value);
              } catch (IOException e) {
                LOG.debug("The socket option {} cannot be set", name, e);
              }
            });
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
