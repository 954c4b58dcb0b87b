import { proto } from '@whiskeysockets/baileys'

export type MessageKind = keyof proto.IMessage

/** How many wrappers of a message are opened. */
const mostDepth = 10
const beside = new Set<string>(['messageContextInfo', 'senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage'])

/** The kinds of what a message holds, but for what goes along with any. */
export const kindsIn = (content: proto.IMessage): MessageKind[] =>
  (Object.keys(content) as MessageKind[]).filter((kind) => content[kind] !== null && content[kind] !== undefined && !beside.has(kind))

type Wrapper = { message?: proto.IMessage | null; targetMessageKey?: proto.IMessageKey | null }
/** `wrappers`: their kinds, outermost first. `targetId`: of the message that one of them is about. */
export type Opened = { content: proto.IMessage; wrappers: MessageKind[]; targetId: string | null }
/** What a message holds, without its wrappers: whatever holds a message is one, known by name or not. */
export function openedIn(message: proto.IMessage | null | undefined): Opened {
  const opened: Opened = { content: message ?? {}, wrappers: [], targetId: null }
  while (opened.wrappers.length < mostDepth) {
    const kind = kindsIn(opened.content).find((one) => isMessage((opened.content[one] as Wrapper).message))
    if (!kind) break
    const { message: inner, targetMessageKey } = opened.content[kind] as Wrapper
    opened.wrappers.push(kind)
    opened.targetId = targetMessageKey?.id ?? opened.targetId
    opened.content = inner!
  }
  return opened
}
export const contentIn = (message: proto.IMessage | null | undefined): proto.IMessage => openedIn(message).content
const isMessage = (value: unknown): boolean => typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

/** A message of the wire. One inside of a wrapper of a kind that the client does not know by number is found as well. */
export function messageFrom(bytes: Uint8Array): proto.Message {
  const message = proto.Message.decode(bytes)
  if (kindsIn(contentIn(message)).length > 0) return message
  const inner = wrappedIn(bytes, mostDepth)
  return inner ? proto.Message.fromObject({ messageContextInfo: message.messageContextInfo, ...inner }) : message
}
function wrappedIn(bytes: Uint8Array, depth: number): proto.Message | null {
  for (const wrapper of depth > 0 ? fieldsIn(bytes) : [])
    for (const { number, value } of fieldsIn(wrapper.value)) {
      const inner = number <= 2 ? decoded(value) : null // a message that is sent on to our devices is the second field
      if (inner && kindsIn(contentIn(inner)).length > 0) return inner
      const further = inner && wrappedIn(value, depth - 1)
      if (further) return further
    }
  return null
}
function decoded(bytes: Uint8Array): proto.Message | null {
  try {
    return proto.Message.decode(bytes)
  } catch {
    return null
  }
}

/** The fields of a protobuf message that have a length; none, where the bytes are no such message. */
function fieldsIn(bytes: Uint8Array): { number: number; value: Uint8Array }[] {
  const fields: { number: number; value: Uint8Array }[] = []
  let at = 0
  function varint(): number {
    let value = 0
    for (let shift = 0; shift < 70 && at < bytes.length; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return Number.NaN
  }
  while (at < bytes.length) {
    const tag = varint()
    const type = tag % 8
    if (type === 0) varint()
    else if (type === 1 || type === 5) at += type === 1 ? 8 : 4
    else if (type === 2) {
      const length = varint()
      fields.push({ number: Math.floor(tag / 8), value: bytes.subarray(at, at + length) })
      at += length
    } else return []
    if (!(at <= bytes.length)) return []
  }
  return fields
}
