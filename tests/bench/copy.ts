import type pg from 'pg'

/** COPY … FROM STDIN over the plain pg client. The lines are sent unchanged. */
export function copyIn(client: pg.Client, text: string, lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed: Error | null = null
    const ignore = () => undefined
    const query = {
      submit: (connection: any) => connection.query(text),
      handleCopyInResponse(connection: any) {
        connection.sendCopyFromChunk(Buffer.from(lines))
        connection.endCopyFrom()
      },
      handleError: (error: Error) => {
        failed = error
        reject(error)
      },
      handleReadyForQuery: () => failed ?? resolve(),
      handleCommandComplete: ignore,
      handleRowDescription: ignore,
      handleDataRow: ignore,
      handleEmptyQuery: ignore,
      handlePortalSuspended: ignore,
      callback: undefined,
    }
    client.query(query as never)
  })
}

export const escaped = (json: string) => json.replaceAll('\\', '\\\\')
