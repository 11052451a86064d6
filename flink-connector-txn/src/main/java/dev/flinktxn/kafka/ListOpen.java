// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.List;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ListTransactionsRequest;

/**
 * Lists open transactions. Lets the broker select by pattern where it can (4.1); older ones send
 * what they have.
 */
final class ListOpen extends AbstractRequest.Builder<ListTransactionsRequest> {

  private static final short FIRST_WITH_PATTERN = 2;

  private final String pattern;

  ListOpen(String pattern) {
    super(ApiKeys.LIST_TRANSACTIONS);
    this.pattern = pattern;
  }

  @Override
  public ListTransactionsRequest build(short version) {
    ListTransactionsRequestData data =
        new ListTransactionsRequestData().setStateFilters(List.of("Ongoing"));
    if (version >= FIRST_WITH_PATTERN) {
      data.setTransactionalIdPattern(pattern);
    }
    return new ListTransactionsRequest.Builder(data).build(version);
  }
}
