import { createRequire, syncBuiltinESMExports } from 'node:module'

/*
 * Preloaded into a product with the built-in provider: reports each charge to the test when it is requested and when it is made, and waits
 * for permission to continue. The product's code is unchanged; the hook is on `link`, which names the file of a charge.
 */

type Link = (from: string, to: string) => Promise<void>

const fs: { link: Link } = createRequire(import.meta.url)('node:fs/promises')
const { link } = fs

const reportCheckpoint = async (attemptId: string, point: 'requested' | 'charged'): Promise<void> => {
  const response = await fetch(String(process.env.POINTS_URL), {
    method: 'POST',
    body: JSON.stringify({ attemptId, point }),
  })
  if ((await response.text()) === 'break') throw new Error('the connection to the provider broke')
}

fs.link = async (from, to) => {
  const [, attemptId] = /test-payments\/([0-9a-f-]{36})\.[12]$/.exec(to) ?? []
  if (attemptId === undefined) return await link(from, to)
  await reportCheckpoint(attemptId, 'requested')
  await link(from, to)
  await reportCheckpoint(attemptId, 'charged')
}
syncBuiltinESMExports()
