import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { root } from './fingerprint.ts'

/**
 * `npm run dev`: starts the API, restarted when its files change, with Vite in front of it to build pages on request.
 */
const api = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
})
const pages = await createServer({ configFile: `${root}vite.config.ts` })
await pages.listen()
pages.printUrls()

const stop = async (): Promise<void> => {
  api.kill('SIGTERM')
  await pages.close()
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
