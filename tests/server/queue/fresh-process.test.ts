import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import { testQueues } from './test-queues.ts'

const program = new URL('./queue-in-child.ts', import.meta.url).pathname

let dataDir = ''

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'jobs-'))
  await prepareDatabaseFolder(dataDir)
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (mode: 'enqueue' | 'hang') => {
  const child = spawn(process.execPath, [program, mode, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, lines: createInterface({ input: child.stdout }), ended: once(child, 'exit') }
}

describe('background jobs across restarts on the embedded database', () => {
  it('a new process can enqueue immediately, and a job survives a kill and is completed by the next process', async () => {
    const first = run('enqueue')
    const output: string[] = []
    for await (const line of first.lines) output.push(line)
    await first.ended
    expect(output).toEqual(['done'])

    const second = run('hang')
    for await (const line of second.lines) {
      expect(line).toBe('taken')
      break
    }
    second.child.kill('SIGKILL')
    await second.ended

    const database = await openDatabase({ dataDir, log: silentLog })
    const jobs = await startBackgroundJobs({ database, log: silentLog, queues: testQueues, pollSeconds: 0.5 })
    const greeted = await new Promise<string>((resolve, reject) => {
      jobs.work('greet', 1, async ({ payload, attempt }) => resolve(`${payload.name}, try ${attempt}`)).catch(reject)
    })
    expect(greeted).toBe('Ada, try 2')
    await jobs.stop()
    await database.close()
  })
})
