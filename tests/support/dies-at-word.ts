/* A server loads this by `--import`. It kills the process when it encrypts a message that contains the word. */
const word = process.env.DEADLY_WORD ?? ''
const { from } = Buffer
Buffer.from = ((...given: Parameters<typeof from>) => {
  if (word !== '' && typeof given[0] === 'string' && (given[0] as string).includes(word)) process.kill(process.pid, 'SIGKILL')
  return from(...given)
}) as typeof from
