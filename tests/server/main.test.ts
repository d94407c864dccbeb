import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import { compileCacheEnv, freePort } from '#support/product/start-product.ts'

const root = new URL('../../', import.meta.url).pathname
// Production seeds no demo, so the start is fast.
const settings = {
  NODE_ENV: 'production',
  SECRET: 's'.repeat(40),
  PAYMENT: 'test',
  PUBLIC_URL: 'http://localhost:4600',
  HOST: '127.0.0.1',
}

const run = (env: Record<string, string>, program: readonly string[] = ['src/server/main.ts']): ChildProcess =>
  spawn(process.execPath, program, {
    cwd: root,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...compileCacheEnv, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const waitForEnd = async (child: ChildProcess): Promise<{ code: number | null; errorOutput: string }> => {
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  return { code, errorOutput: output }
}

const waitUntilReady = async (child: ChildProcess): Promise<void> => {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    if (output.includes('is ready')) return
  }
  throw new Error(`the server ended before it was ready: ${output}`)
}

describe('a server process', () => {
  let dataDir = ''
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'fieldproof-start-'))
    await prepareDatabaseFolder(dataDir, 'migrated')
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  it('the server finishes requests in flight on a stop signal and starts again on the same data', async () => {
    const port = await freePort()
    const child = run({ PORT: String(port), DATA_DIR: dataDir })
    await waitUntilReady(child)
    const health = await fetch(`http://127.0.0.1:${port}/api/health`)
    expect(await health.json()).toMatchObject({ data: { status: 'ok' } })
    const signIn = () =>
      fetch(`http://127.0.0.1:${port}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'nobody@x.test', password: 'wrong' }),
      })
    const answers = [signIn(), signIn(), signIn()]
    // One response shows that the others have arrived too: they are queued behind it.
    await answers[0]
    const end = waitForEnd(child)
    child.kill('SIGTERM')
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([401, 401, 401])
    expect(await end).toEqual({ code: 0, errorOutput: '' })

    const secondServer = run({ PORT: String(port), DATA_DIR: dataDir })
    await waitUntilReady(secondServer)
    const second = await waitForEnd(run({ PORT: '0', DATA_DIR: dataDir }))
    expect(second.code).toBe(1)
    expect(second.errorOutput).toMatch(/^Another process is using the database in .+\n$/)
    const killed = once(secondServer, 'exit')
    secondServer.kill('SIGKILL')
    await killed
  }, 60_000)

  it.each<[string, string[], Record<string, string>, RegExp, RegExp]>([
    [
      'prints a link',
      ['alex@example.com'],
      {},
      /^alex@example\.com is an administrator, .+\nhttp:\/\/localhost:4600\/reset-password\?token=[\w-]{43}\n$/,
      /^$/,
    ],
    ['asks for an email address', [], {}, /^$/, /^Give one email address: .+\n$/],
    ['rejects an invalid email address', ['alex'], {}, /^$/, /^This value is not a valid email address\n$/],
    [
      'validates the server’s settings',
      ['alex@example.com'],
      { SECRET: '' },
      /^$/,
      /^SECRET must be .+ without it\.\n$/,
    ],
  ])('the administrator command %s', async (_, args, env, expectedOutput, expectedError) => {
    const child = run({ DATA_DIR: dataDir, ...env }, ['src/server/make-administrator.ts', ...args])
    const [{ code, errorOutput: output }, outputChunks] = await Promise.all([
      waitForEnd(child),
      child.stdout?.setEncoding('utf8').toArray(),
    ])
    expect([outputChunks?.join(''), output, code]).toEqual([
      expect.stringMatching(expectedOutput),
      expect.stringMatching(expectedError),
      expectedError.test('') ? 0 : 1,
    ])
  })

  it('the command that verifies the audit trail prints its end, or which entries were tampered with', async () => {
    const verify = async () => {
      const child = run({ DATA_DIR: dataDir }, ['src/server/verify-audit-log.ts'])
      const [{ code, errorOutput }, output] = await Promise.all([
        waitForEnd(child),
        child.stdout?.setEncoding('utf8').toArray(),
      ])
      return [code, output?.join(''), errorOutput]
    }
    const changeAuditLog = async (statement: string) => {
      const { db, close } = await openDatabase({ dataDir, databaseUrl: undefined, log: silentLog })
      await sql.raw('set session_replication_role = replica').execute(db)
      await sql.raw(statement).execute(db)
      await close()
    }
    const complete = [
      0,
      expect.stringMatching(/^The audit trail is complete: \d+ entries, and \d+ new ones\. .+\n$/),
      '',
    ]
    expect(await verify()).toEqual(complete)
    const [columns, values] = ['action, entity, position, previous_hash, hash', `'tag.made', 'tag', 900, '', 'none'`]
    await changeAuditLog(`insert into audit_log (${columns}) values (${values})`)
    const findings = /^The audit trail was tampered with:\nEntry 900 was changed\n/
    expect(await verify()).toEqual([1, '', expect.stringMatching(findings)])
    await changeAuditLog('delete from audit_log where position = 900')
    expect(await verify()).toEqual(complete)
  }, 60_000)

  it.each([
    ['an invalid setting', { PORT: 'eighty' }, /^PORT must be a port number, 0 to 65535; it is "eighty"\.\n$/],
    ['a missing secret', { SECRET: '' }, /^SECRET must be .+ without it\.\n$/],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      /^The database of DATABASE_URL does not answer: .+\n$/,
    ],
    ['an unknown host', { HOST: 'nowhere.invalid', PORT: '0' }, /^getaddrinfo \w+ nowhere\.invalid\n$/],
  ])('the server exits with one line on %s', async (_, env, line) => {
    const { code, errorOutput: output } = await waitForEnd(run({ DATA_DIR: dataDir, ...env }))
    expect([code, output]).toEqual([1, expect.stringMatching(line)])
  })

  it('the server keeps running and logs a warning if the demo sign-ins cannot be read', async () => {
    const dataDirOfDemo = mkdtempSync(join(tmpdir(), 'fieldproof-sign-ins-'))
    await prepareDatabaseFolder(dataDirOfDemo, 'migrated')
    const { db, close } = await openDatabase({ dataDir: dataDirOfDemo, databaseUrl: undefined, log: silentLog })
    // A user exists, so no demo is seeded; then reading the sign-ins fails.
    await sql`insert into users (email, name, role) values ('admin@fieldproof.test', 'Alex', 'administrator')`.execute(
      db,
    )
    await sql`alter table users rename column email to address`.execute(db)
    await close()
    const port = await freePort()
    const child = run({ NODE_ENV: 'development', PORT: String(port), DATA_DIR: dataDirOfDemo })
    const logged = new Promise<void>((resolve) => {
      let output = ''
      child.stdout?.on('data', (chunk) => {
        output += chunk
        if (output.includes('the demo sign-ins could not be read')) resolve()
      })
    })
    const end = waitForEnd(child)
    await Promise.race([logged, end])
    expect(child.exitCode).toBeNull()
    const health = await fetch(`http://127.0.0.1:${port}/api/health`)
    expect(await health.json()).toMatchObject({ data: { status: 'ok' } })
    child.kill('SIGTERM')
    expect(await end).toEqual({ code: 0, errorOutput: '' })
    rmSync(dataDirOfDemo, { recursive: true, force: true })
  }, 60_000)

  it('the server exits with one line on a port that is in use', async () => {
    const occupyingServer = createServer().listen(0, '127.0.0.1')
    await once(occupyingServer, 'listening')
    const address = occupyingServer.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''
    const { code, errorOutput: output } = await waitForEnd(run({ PORT: port, DATA_DIR: dataDir }))
    occupyingServer.close()
    expect([code, output]).toEqual([1, expect.stringMatching(/^listen EADDRINUSE.+\n$/)])
  }, 60_000)
})
