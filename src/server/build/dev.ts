import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { root } from './folders.ts'

/** `npm run dev`: the API, started anew when its files change, and Vite in front of it, which makes the pages as they are asked for. */
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
