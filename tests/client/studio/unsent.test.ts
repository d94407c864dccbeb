import { describe, expect, it } from 'vitest'
import { createOutgoing, type Unsent } from '../../../src/client/studio/shoot-day/unsent.ts'
import type { AnyCall } from '../../../src/contract/call.ts'
import type { Answered, Ask, Given } from '../../../src/local/ask.ts'

type Said = { path: string; given: Given<AnyCall> }

const done = { ok: true, status: 200, data: 'heard' } as const
const cut: Answered<unknown> = { ok: false, status: 'unreachable', errors: ['No connection'] }
const refused: Answered<unknown> = {
  ok: false,
  status: 422,
  errors: ['This job is archived. Restore it first'],
  problem: 'refused',
}

/** A tablet whose network answers as it is told to, one answer after the other; then all is done. */
const tablet = (answers: Answered<unknown>[], kept?: unknown) => {
  const said: Said[] = []
  const store: { list: unknown } = { list: kept }
  const timers: (() => void)[] = []
  const heard: [string, boolean][] = []
  const ask = (async (call: AnyCall, given: Given<AnyCall>) => {
    said.push({ path: call.path, given })
    return answers.shift() ?? done
  }) as unknown as Ask // answers of whatever call
  const outgoing = createOutgoing({
    place: { studioId: 1, jobId: 2 },
    ask,
    keep: {
      read: () => store.list,
      write: (list) => {
        store.list = JSON.parse(JSON.stringify(list))
      },
    },
    later: (_milliseconds, run) => void timers.push(run),
    heard: (one, answer) => void heard.push([one.who, answer.ok]),
  })
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  const pass = async () => {
    for (const run of timers.splice(0)) run()
    await settle()
  }
  return { outgoing, said, store, heard, settle, pass, timers }
}

const checkIn = (who: string, subjectId: number): Unsent => ({
  who,
  told: {
    does: 'mark',
    body: {
      key: `00000000-0000-4000-8000-00000000000${subjectId}`,
      at: '2027-04-15T10:00:00.000Z',
      station: '1',
      subjectId,
      kind: 'present',
    },
  },
})
const keysOf = (said: readonly Said[]) => said.map(({ given }) => given.idempotencyKey?.slice(-1))

describe('what a tablet has to say', () => {
  it('is kept before it is sent, and let go once it was heard', async () => {
    const { outgoing, store, heard, settle } = tablet([])
    outgoing.tell(checkIn('Ada', 1))
    expect(store.list).toHaveLength(1)
    await settle()
    expect([outgoing.list.current(), store.list, heard]).toEqual([[], [], [['Ada', true]]])
  })

  it('is sent again word for word under the same key while the network is cut, in its order', async () => {
    const { outgoing, said, settle, pass, heard } = tablet([cut, cut])
    outgoing.tell(checkIn('Ada', 1))
    outgoing.tell(checkIn('Bo', 2))
    await settle()
    await pass()
    expect(outgoing.list.current().map(({ who }) => who)).toEqual(['Ada', 'Bo'])
    await pass()
    expect(keysOf(said)).toEqual(['1', '1', '1', '2'])
    expect(said[2]?.given).toEqual(said[0]?.given)
    expect(heard).toEqual([
      ['Ada', true],
      ['Bo', true],
    ])
  })

  it.each([
    ['the session ended', { ok: false, status: 401, errors: ['Please log in'], problem: 'not-signed-in' }],
    ['the server is in trouble', { ok: false, status: 500, errors: ['An error occurred'] }],
    ['it is still being worked on', { ok: false, status: 409, errors: ['Later'], problem: 'in-flight' }],
    ['something on the way answered', { ok: false, status: 200, errors: ['An error occurred'], problem: 'unreadable' }],
  ] as const)('waits where %s', async (_what, answer) => {
    const { outgoing, settle, pass, heard } = tablet([{ ...answer, errors: [...answer.errors] }])
    outgoing.tell(checkIn('Ada', 1))
    await settle()
    expect(outgoing.list.current()).toHaveLength(1)
    await pass()
    expect(heard).toEqual([['Ada', true]])
  })

  it('holds nobody up where one of it is refused, which stays in sight until it is left', async () => {
    const { outgoing, settle, said } = tablet([refused])
    outgoing.tell(checkIn('Ada', 1))
    outgoing.tell(checkIn('Bo', 2))
    await settle()
    const [left] = outgoing.list.current()
    expect(outgoing.list.current()).toMatchObject([{ who: 'Ada', refused: 'This job is archived. Restore it first' }])
    outgoing.wake()
    await settle()
    expect(keysOf(said)).toEqual(['1', '2'])
    if (left) outgoing.drop(left)
    expect(outgoing.list.current()).toEqual([])
  })

  it('outlives a reload, and is sent as the tab begins again', async () => {
    const before = tablet([cut])
    before.outgoing.tell(checkIn('Ada', 1))
    await before.settle()
    const after = tablet([], before.store.list)
    after.outgoing.wake()
    await after.settle()
    expect(keysOf(after.said)).toEqual(['1'])
    expect(after.store.list).toEqual([])
  })

  it('begins anew where what was kept is none of its own', () => {
    expect(tablet([], { list: 'something' }).outgoing.list.current()).toEqual([])
    expect(tablet([], [null]).outgoing.list.current()).toEqual([])
  })

  it('asks for one look only, however much waits', async () => {
    const { outgoing, settle, timers } = tablet([cut, cut, cut])
    for (const subjectId of [1, 2, 3]) outgoing.tell(checkIn('Somebody', subjectId))
    await settle()
    outgoing.wake()
    await settle()
    expect(timers).toHaveLength(1)
  })
})
