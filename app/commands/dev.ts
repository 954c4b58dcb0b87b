import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { parseArguments } from './tools.ts'

parseArguments({})

/** Runs the server, restarted at every change of its code, and Vite with hot reload as a proxy. */
const port = process.env.PORT ?? '8080'
process.env.GUICHE_SERVER ??= `http://127.0.0.1:${port}` // the target of Vite's proxy
const server = spawn(
  process.execPath,
  ['--watch-path=app', '--watch-path=domain', '--watch-path=projections', '--watch-preserve-output', 'app/main.ts'],
  {
    stdio: 'inherit',
    env: { LOG_LEVEL: 'warn', ...process.env, PORT: port },
  },
)
const vite = await createServer({ configFile: 'web/vite.config.ts', server: { port: 5173, host: '127.0.0.1' } })
await vite.listen()
vite.printUrls()
console.log(`  API calls are served at http://127.0.0.1:${port}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.kill('SIGTERM')
    void vite.close()
  })
server.once('exit', (code) => process.exit(code ?? 0))
