// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.InitProducerIdRequest;

/**
 * InitProducerId in the version that knows transactions without a timeout (KIP-939), which the
 * client does not send by itself.
 */
final class InitEndless extends AbstractRequest.Builder<InitProducerIdRequest> {

  private static final short FIRST_WITH_TWO_PHASE_COMMIT = 6;

  private final InitProducerIdRequestData data;

  InitEndless(InitProducerIdRequestData data) {
    super(ApiKeys.INIT_PRODUCER_ID, FIRST_WITH_TWO_PHASE_COMMIT);
    this.data = data;
  }

  @Override
  public InitProducerIdRequest build(short version) {
    return new InitProducerIdRequest.Builder(data).build(version);
  }
}
