import { createRequire, syncBuiltinESMExports } from 'node:module'

/*
 * Loaded before a product that pays by the built-in provider: tells the test of each charge as it is asked for and once it is made, and
 * waits for leave to go on. The product's own code is as it is; what it keeps its charges by is a file that gets its name.
 */

type Link = (from: string, to: string) => Promise<void>

const fs: { link: Link } = createRequire(import.meta.url)('node:fs/promises')
const { link } = fs

const reportCheckpoint = async (attemptId: string, point: 'asked' | 'charged'): Promise<void> => {
  const answer = await fetch(String(process.env.POINTS_URL), {
    method: 'POST',
    body: JSON.stringify({ attemptId, point }),
  })
  if ((await answer.text()) === 'break') throw new Error('the line to the provider broke')
}

fs.link = async (from, to) => {
  const [, attemptId] = /test-payments\/([0-9a-f-]{36})\.[12]$/.exec(to) ?? []
  if (attemptId === undefined) return await link(from, to)
  await reportCheckpoint(attemptId, 'asked')
  await link(from, to)
  await reportCheckpoint(attemptId, 'charged')
}
syncBuiltinESMExports()
