import { minuteMs } from '#domain/duration/rules.ts'
import { noteServerTime } from './ui/now.ts'

/** The network did not answer, so the result on the server is unknown. */
export class Offline extends Error {}

export const base = '/api'
export type Request = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | FormData
  signal?: AbortSignal
  progress?: (share: number) => void
  received?: (bytes: number) => void
}
/**
 * Sends a request, with retries if the network fails. Resolves with every answer of the server, whatever its
 * status.
 */
export type HttpTransport = (request: Request) => Promise<{ status: number; answer: unknown }>

const pauses = [300, 1200]
/** Time until an answer begins, and longest pause of an upload, because a dead connection reports no error. */
const timeoutMs = minuteMs
/** Time until an answer is complete. */
const answersMs = 5 * timeoutMs
/** The limit passed without an answer. A retry would wait as long, so there is none. */
class RequestTimeoutError extends Offline {}
const offline = () => typeof navigator !== 'undefined' && navigator.onLine === false

/** Reads are retried, and so are commands, because they carry an id. Uploads are left to the caller. */
export const browserTransport: HttpTransport = async (request) => {
  for (const pause of [...pauses, null]) {
    try {
      return await (request.body instanceof FormData ? upload(request) : once(request))
    } catch (error) {
      if (
        !(error instanceof Offline) ||
        error instanceof RequestTimeoutError ||
        pause === null ||
        offline() ||
        request.body instanceof FormData
      )
        throw error
      await new Promise((resume) => setTimeout(resume, pause * (0.5 + Math.random())))
    }
  }
  throw new Offline()
}

async function once({ method, path, headers, body, signal, received }: Request) {
  const late = new AbortController()
  const lost = (error: unknown) => {
    throw signal?.aborted ? error : late.signal.aborted ? new RequestTimeoutError() : new Offline()
  }
  const limit = patience(() => late.abort())
  try {
    const sentAt = Date.now()
    const response = await fetch(base + path, {
      method,
      headers,
      credentials: 'include',
      ...(body !== undefined && { body }),
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    }).catch(lost)
    noteServerTime(response.headers.get('date'), sentAt)
    limit.again(answersMs)
    if (received && response.ok) {
      const progress = (bytes: number) => {
        limit.again()
        received(bytes)
      }
      return { status: response.status, answer: await fileIn(response, progress).catch(lost) }
    }
    // Leaving the page or a broken connection may end an answer after its status has arrived.
    return { status: response.status, answer: parsed(await response.text().catch(lost), response.ok) }
  } finally {
    limit.end()
  }
}

/** Reads a file in parts. Fails if the answer ends early. */
async function fileIn(response: Response, progress: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (const reader = response.body!.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
    parts.push(value)
    bytes += value.length
    progress(bytes)
  }
}

function patience(over: () => void) {
  let timer = setTimeout(over, timeoutMs)
  return {
    again: (ms = timeoutMs) => {
      clearTimeout(timer)
      timer = setTimeout(over, ms)
    },
    end: () => clearTimeout(timer),
  }
}

/** fetch reports no upload progress; XMLHttpRequest does. */
function upload({ method, path, headers, body, signal, progress }: Request) {
  return new Promise<{ status: number; answer: unknown }>((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method, base + path)
    xhr.withCredentials = true
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    const limit = patience(() => {
      reject(new RequestTimeoutError())
      xhr.abort()
    })
    xhr.onloadend = limit.end
    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      limit.again()
      if (lengthComputable) progress?.(loaded / total)
    }
    xhr.upload.onload = () => {
      progress?.(1)
      limit.again(answersMs)
    }
    xhr.onload = () => {
      try {
        resolve({ status: xhr.status, answer: parsed(xhr.responseText, xhr.status < 400) })
      } catch (error) {
        reject(error)
      }
    }
    xhr.onerror = () => reject(new Offline())
    xhr.onabort = () => reject(new DOMException('given up', 'AbortError'))
    if (signal?.aborted) return reject(new DOMException('given up', 'AbortError'))
    signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    xhr.send(body ?? null)
  })
}

/** An unreadable success is incomplete or not from our server, so the result is unknown. */
function parsed(text: string, succeeded: boolean): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    if (succeeded) throw new Offline()
    return undefined
  }
}
