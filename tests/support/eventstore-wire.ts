import { randomUUID } from 'node:crypto'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { AppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { Metadata, type sendUnaryData, status } from '@grpc/grpc-js'

const { AppendResp, ReadResp } = streams

export type Offered = { id: string; type: string; data: Uint8Array; meta: Uint8Array }
export type Stored = Offered & { position: bigint; stream: string; revision: bigint }

export const maxAppend = 1024 * 1024

const empty = () => new shared.Empty()
const identifier = (stream: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'))

export const nameOf = (of: StreamIdentifier | undefined) => Buffer.from(of!.getStreamName_asU8()).toString()

export const weight = (offered: Offered[]) =>
  offered.reduce((sum, { type, data, meta }) => sum + type.length * 2 + data.length + meta.length, 0)

export const system = (type: string): Offered => ({ id: randomUUID(), type, data: Buffer.from('{}'), meta: Buffer.from('{}') })

export function offeredIn(message: AppendReq.ProposedMessage): Offered {
  return {
    id: message.getId()!.getString(),
    type: message.getMetadataMap().get('type')!,
    data: message.getData_asU8(),
    meta: message.getCustomMetadata_asU8(),
  }
}

function refusal(code: status, details: string, entries: Record<string, string>) {
  const metadata = new Metadata()
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value)
  return { code, details, metadata }
}

export const tooLarge = () =>
  refusal(status.INVALID_ARGUMENT, 'Maximum Append Size Exceeded.', {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': `${maxAppend}`,
  })

export const notLeader = (host: string, port: number) =>
  refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': `${port}`,
  })

export const accessDenied = () => refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })

export const missing = (_: unknown, reply: sendUnaryData<never>) => reply({ code: status.UNIMPLEMENTED, details: 'not in the double' })

export function success({ revision, position }: Stored) {
  const at = new AppendResp.Position().setCommitPosition(`${position}`).setPreparePosition(`${position}`)
  return new AppendResp().setSuccess(new AppendResp.Success().setCurrentRevision(`${revision}`).setPosition(at))
}

/** The server reports a conflict inside a successful answer. */
export function conflict(options: AppendReq.Options, length: number) {
  const wrong = new AppendResp.WrongExpectedVersion()
  if (length > 0) wrong.setCurrentRevision(`${length - 1}`)
  else wrong.setCurrentNoStream(empty())
  if (options.hasNoStream()) wrong.setExpectedNoStream(empty())
  else wrong.setExpectedRevision(options.getRevision())
  return new AppendResp().setWrongExpectedVersion(wrong)
}

export function readAnswer({ position, stream, revision, id, type, data, meta }: Stored, ownStream: boolean) {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
  recorded.setId(new shared.UUID().setString(id)).setStreamIdentifier(identifier(stream)).setStreamRevision(`${revision}`)
  recorded.setCommitPosition(`${position}`).setPreparePosition(`${position}`).setData(data).setCustomMetadata(meta)
  recorded.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', '638000000000000000')
  const event = new ReadResp.ReadEvent().setEvent(recorded)
  return new ReadResp().setEvent(ownStream ? event.setNoPosition(empty()) : event.setCommitPosition(`${position}`))
}

export const streamNotFound = (stream: string) =>
  new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream)))

export const confirmation = () => new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()))

export const checkpoint = (position: bigint) =>
  new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition(`${position}`).setPreparePosition(`${position}`))

export const caughtUp = () => new ReadResp().setCaughtUp(new ReadResp.CaughtUp())

/**
 * The events of one page of a stream or of $all. A forward read includes the given position, and a backward read
 * only in a stream.
 */
export function slice(source: Stored[], options: ReadReq.Options): Stored[] {
  const back = options.getReadDirection() === 1
  const count = Number(options.getCount())
  const ordered = back ? source.toReversed() : source
  const stream = options.getStream()
  const all = options.getAll()
  const fits = (event: Stored) => {
    if (stream?.hasRevision()) return back ? event.revision <= BigInt(stream.getRevision()) : event.revision >= BigInt(stream.getRevision())
    const at = all?.getPosition()
    if (at) return back ? event.position < BigInt(at.getCommitPosition()) : event.position >= BigInt(at.getCommitPosition())
    return back === Boolean(stream?.hasEnd() || all?.hasEnd())
  }
  return ordered.filter(fits).slice(0, count)
}

/** BatchAppend is listed as in the real server. A test asserts that it is never called. */
export function supportedMethods() {
  const method = (name: string) => new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name)
  return new features.SupportedMethods().setEventStoreServerVersion('23.10.0').setMethodsList(['append', 'batchappend', 'read'].map(method))
}

export function members(host: string, port: number) {
  const own = new gossip.MemberInfo().setInstanceId(new shared.UUID().setString(randomUUID())).setTimeStamp('0').setIsAlive(true)
  own.setState(gossip.MemberInfo.VNodeState.LEADER).setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port))
  return new gossip.ClusterInfo().setMembersList([own])
}
