import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { deleteRunningJobs, workUnlessPaused } from '#server/queue/pausable-work.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import { galleryQueues, testQueues } from './test-queues.ts'

const program = new URL('./queue-in-child.ts', import.meta.url).pathname

let dataDir = ''

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'jobs-'))
  await prepareDatabaseFolder(dataDir)
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (mode: 'enqueue' | 'hang' | 'hang-in-gallery') => {
  const child = spawn(process.execPath, [program, mode, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, lines: createInterface({ input: child.stdout }), ended: once(child, 'exit') }
}

/** Kills a process as soon as it runs a job. */
const killOnceTaken = async (mode: 'hang' | 'hang-in-gallery') => {
  const process = run(mode)
  for await (const line of process.lines) {
    expect(line).toBe('taken')
    break
  }
  process.child.kill('SIGKILL')
  await process.ended
}

describe('background jobs across restarts on the embedded database', { timeout: 240_000 }, () => {
  it('a new process can enqueue immediately, and a job survives a kill and is completed by the next process', async () => {
    const first = run('enqueue')
    const output: string[] = []
    for await (const line of first.lines) output.push(line)
    await first.ended
    expect(output).toEqual(['done'])

    await killOnceTaken('hang')
    const database = await openDatabase({ dataDir, log: silentLog })
    const jobs = await startBackgroundJobs({ database, log: silentLog, queues: testQueues, pollSeconds: 0.5 })
    const greeted = await new Promise<string>((resolve, reject) => {
      jobs.work('greet', 1, async ({ payload, attempt }) => resolve(`${payload.name}, try ${attempt}`)).catch(reject)
    })
    expect(greeted).toBe('Ada, try 2')
    await jobs.stop()
    await database.close()
  })

  it('work on a gallery that ran at a kill is not running at the next start, and is done again', async () => {
    await killOnceTaken('hang-in-gallery')
    const database = await openDatabase({ dataDir, log: silentLog })
    const { db, kind: engine } = database
    const readRunning = () => db.selectFrom('running_background_jobs').select('queue').execute()
    expect(await readRunning()).toEqual([{ queue: 'make-variants' }])
    const jobs = await startBackgroundJobs({ database, log: silentLog, queues: galleryQueues, pollSeconds: 0.5 })
    const deps = { db, engine, clock: () => new Date() }
    await deleteRunningJobs(deps)
    expect(await readRunning()).toEqual([])
    const attempt = await new Promise<number>((resolve, reject) => {
      const handle = async (job: { attempt: number }) => resolve(job.attempt)
      workUnlessPaused(jobs, deps, { queue: 'make-variants', concurrency: 2 }, handle).catch(reject)
    })
    expect(attempt).toBe(2)
    await jobs.stop()
    await database.close()
  })
})
