import { proto } from '@whiskeysockets/baileys'

export type MessageKind = keyof proto.IMessage

/** Maximum number of nested wrappers. */
const mostDepth = 10
const beside = new Set<string>(['messageContextInfo', 'senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage'])

/** The kinds of content in a message, without the fields that accompany every kind. */
export const kindsIn = (content: proto.IMessage): MessageKind[] =>
  (Object.keys(content) as MessageKind[]).filter((kind) => content[kind] !== null && content[kind] !== undefined && !beside.has(kind))

type Wrapper = { message?: proto.IMessage | null; targetMessageKey?: proto.IMessageKey | null }
/** `wrappers`: their kinds, outermost first. `targetId`: the message that a wrapper refers to. */
export type Opened = { content: proto.IMessage; wrappers: MessageKind[]; targetId: string | null }
/** Returns the content of a message without its wrappers. Every field that contains a message counts as a wrapper, also unknown ones. */
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

/** Decodes a message. It also finds a message inside a wrapper whose field number the client does not know. */
export function messageFrom(bytes: Uint8Array): proto.Message {
  const message = proto.Message.decode(bytes)
  if (kindsIn(contentIn(message)).length > 0) return message
  const inner = wrappedIn(bytes, mostDepth)
  return inner ? proto.Message.fromObject({ messageContextInfo: message.messageContextInfo, ...inner }) : message
}
function wrappedIn(bytes: Uint8Array, depth: number): proto.Message | null {
  for (const wrapper of depth > 0 ? fieldsIn(bytes) : [])
    for (const { number, value } of fieldsIn(wrapper.value)) {
      const inner = number <= 2 ? decoded(value) : null // in a message forwarded to our own devices, the content is the second field
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

/** Returns the length-delimited fields of a protobuf message, or none if the bytes are not one. */
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
