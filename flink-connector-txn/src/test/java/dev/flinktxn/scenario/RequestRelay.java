// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sits between the jobs of a test and a broker of the same JVM: counts their requests by api key,
 * and holds, cuts or loses the answer of those that the test names. Two threads per connection.
 */
final class RequestRelay implements AutoCloseable {

  /** The api key of the request that ends a transaction. */
  static final short END_TXN = 26;

  /** What happens to a request of the chosen kind. */
  private enum Treatment {
    FORWARD,
    HOLD,
    CUT_BEFORE,
    CUT_AFTER
  }

  private final ServerSocket server;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Map<Short, LongAdder> requests = new ConcurrentSkipListMap<>();
  private final AtomicInteger treated = new AtomicInteger();
  private volatile int target;
  private volatile boolean severed;
  private volatile Treatment treatment = Treatment.FORWARD;
  private volatile CountDownLatch released = new CountDownLatch(0);

  private RequestRelay(ServerSocket server) {
    this.server = server;
  }

  /** Listens; connections are forwarded after {@link #forwardTo(int)}. */
  static RequestRelay listen() throws IOException {
    RequestRelay relay =
        new RequestRelay(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()));
    daemon("accept", relay::accept);
    return relay;
  }

  int port() {
    return server.getLocalPort();
  }

  void forwardTo(int port) {
    target = port;
  }

  /** From now on every EndTxn waits until {@link #restore()}. */
  void holdCommits() {
    released = new CountDownLatch(1);
    treat(Treatment.HOLD);
  }

  /** From now on every EndTxn is answered by a closed connection and never reaches the broker. */
  void cutCommits() {
    treat(Treatment.CUT_BEFORE);
  }

  /** From now on every EndTxn reaches the broker, but the answer is lost with the connection. */
  void loseCommitReplies() {
    treat(Treatment.CUT_AFTER);
  }

  /** Closes all connections and accepts none, as if the network were gone. */
  void sever() {
    severed = true;
    connections.forEach(Connection::close);
  }

  /** Back to forwarding everything; what was held goes on. */
  void restore() {
    severed = false;
    treatment = Treatment.FORWARD;
    released.countDown();
  }

  private void treat(Treatment next) {
    treated.set(0);
    treatment = next;
  }

  /** How many requests were held or cut since the last change of treatment. */
  int treatedRequests() {
    return treated.get();
  }

  /** Requests so far by api key. */
  Map<Short, Long> requests() {
    Map<Short, Long> counts = new ConcurrentSkipListMap<>();
    requests.forEach((key, count) -> counts.put(key, count.sum()));
    return counts;
  }

  private void accept() throws IOException {
    while (!server.isClosed()) {
      Socket client = server.accept();
      if (severed) {
        client.close();
        continue;
      }
      Socket broker;
      try {
        broker = new Socket(InetAddress.getLoopbackAddress(), target);
      } catch (IOException e) {
        client.close();
        continue;
      }
      Connection connection = new Connection(client, broker);
      connections.add(connection);
      daemon("requests", connection::forwardRequests);
      daemon("replies", connection::forwardReplies);
    }
  }

  @Override
  public void close() throws IOException {
    restore();
    server.close();
    connections.forEach(Connection::close);
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void daemon(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException expected) {
                // The socket was closed by the other side or by a test.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "relay-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private final class Connection {

    private final Socket client;
    private final Socket broker;
    private volatile boolean loseNextReply;

    Connection(Socket client, Socket broker) throws IOException {
      this.client = client;
      this.broker = broker;
      client.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
    }

    void forwardRequests() throws IOException, InterruptedException {
      try {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = broker.getOutputStream();
        while (true) {
          byte[] frame = new byte[4 + in.readInt()];
          ByteBuffer.wrap(frame).putInt(frame.length - 4);
          in.readFully(frame, 4, frame.length - 4);
          short apiKey = ByteBuffer.wrap(frame).getShort(4);
          requests.computeIfAbsent(apiKey, key -> new LongAdder()).increment();
          if (apiKey == END_TXN && !treatCommit()) {
            return;
          }
          out.write(frame);
          out.flush();
        }
      } finally {
        if (!loseNextReply) {
          close();
        }
      }
    }

    /** Whether the request goes on to the broker. */
    private boolean treatCommit() throws InterruptedException {
      Treatment now = treatment;
      if (now != Treatment.FORWARD) {
        treated.incrementAndGet();
      }
      switch (now) {
        case HOLD -> released.await();
        case CUT_AFTER -> loseNextReply = true;
        default -> {}
      }
      return now != Treatment.CUT_BEFORE;
    }

    void forwardReplies() throws IOException {
      try {
        DataInputStream in = new DataInputStream(broker.getInputStream());
        OutputStream out = client.getOutputStream();
        while (true) {
          byte[] frame = new byte[4 + in.readInt()];
          ByteBuffer.wrap(frame).putInt(frame.length - 4);
          in.readFully(frame, 4, frame.length - 4);
          if (loseNextReply) {
            return;
          }
          out.write(frame);
          out.flush();
        }
      } finally {
        loseNextReply = false;
        close();
      }
    }

    void close() {
      connections.remove(this);
      for (Socket socket : new Socket[] {client, broker}) {
        try {
          socket.close();
        } catch (IOException expected) {
          // Closing is all that is left to do with it.
        }
      }
    }
  }
}
