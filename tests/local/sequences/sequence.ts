import { confirmSubject, redeemCode } from '../../../src/contract/customer-find.ts'
import { isSameTarget } from '../../../src/domain/merge-outbox.ts'
import type { Recorded } from '../../../src/domain/mutation.ts'
import { readCart } from '../../../src/local/cart.ts'
import type { CartView, RefusedChange } from '../../../src/local/cart-view.ts'
import type { CartKey } from '../../../src/local/database.ts'
import { refreshCart } from '../../../src/local/refresh-cart.ts'
import { dropRefused, retryRefused } from '../../../src/local/refused.ts'
import { recover, rememberCode, rememberSubject } from '../../../src/local/visits.ts'
import { chanceFrom } from '../../faults/plans.ts'
import { proofOf } from '../../support/model-server.ts'
import { begin, type EditStep, type Seen, type Taken, type Typed } from './edits.ts'
import { createPhone, type Phone, type Tab } from './phone.ts'
import { isFault, type Step } from './plan.ts'
import { turn, uncaught } from './platform.ts'
import { events } from './shop.ts'
import { cartSaid, chosen, doomedLines, refusedLines, type Said, stillWanted } from './truth.ts'
import { atOnce } from './virtual-time.ts'

const carts: readonly CartKey[] = [
  { jobId: 1, orderMethod: 'gallery' },
  { jobId: 1, orderMethod: 'prepay' },
  { jobId: 2, orderMethod: 'gallery' },
]
/** The first cart is filled more than the others. */
const cartOfPick = (pick: number): CartKey => carts[[0, 0, 0, 1, 2][pick] ?? 0] ?? { jobId: 1, orderMethod: 'gallery' }

/** Without a sign of the network: the longest wait of a cart that failed often, and one more should it fail to a lost session. */
const healsWithinMs = 130_000

export type Ran = { edits: number; faults: number }

type Run = {
  phone: Phone
  /** Reads what lies on the phone, and never dies. */
  probe: Tab
  tabs: [Tab, Tab, Tab]
  said: Said[]
  typed: Typed[]
  taken: Map<CartKey, Taken | null>
  /** Lines the customer let go after they were refused. */
  letGo: Set<string | null>
  edits: number
  tell: (line: string) => void
}

const open = (phone: Phone, who: number): Tab => phone.openTab(['one tab', 'the other tab', 'the worker'][who] ?? '')

/** A phone with two tabs and a worker, whose customer was let into both events and confirmed everybody they order for. */
const start = async (seed: number, tell: Run['tell']): Promise<Run> => {
  const phone = createPhone(seed)
  const probe = phone.openTab('the probe')
  const studio = { studioSlug: 'riverside', studioId: 1, studioName: 'Riverside Portraits' }
  for (const [jobId, code] of [
    [1, 'SPRING'],
    [2, 'TEAM'],
  ] as const)
    await atOnce(rememberCode(probe.db, { ...studio, jobId, code }))
  for (const { jobId, people } of events)
    for (const { subjectId } of people)
      await atOnce(rememberSubject(probe.db, { jobId, subjectId, proof: proofOf(subjectId) }))
  const entered = (async () => {
    for (const code of ['SPRING', 'TEAM'])
      await probe.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    for (const { jobId, people } of events)
      for (const { subjectId } of people)
        await probe.ask(confirmSubject, { params: { jobId }, body: { subjectId, proof: proofOf(subjectId) } })
  })()
  await phone.time.pass(20_000)
  await atOnce(entered)
  const tabs: Run['tabs'] = [open(phone, 0), open(phone, 1), open(phone, 2)]
  const said = carts.map((key) => ({ key, changes: [] }))
  return { phone, probe, tabs, said, typed: [], taken: new Map(), letGo: new Set(), edits: 0, tell }
}

const saidOf = ({ said }: Run, key: CartKey): Said => {
  const found = said.find(
    (one) => one.key === key || (one.key.jobId === key.jobId && one.key.orderMethod === key.orderMethod),
  )
  if (!found) throw new Error('no such cart')
  return found
}

const look = ({ probe }: Run, { jobId, orderMethod }: CartKey): Promise<CartView> =>
  atOnce(readCart(probe.db, jobId, orderMethod))

const fail = (what: string): never => {
  throw new Error(what)
}

/** That the screen shows what was said; `or`: what it may show instead, where nobody can know whether an edit came through. */
const checkView = (run: Run, said: Said, view: CartView): void => {
  const refused = new Set([...refusedLines(view), ...run.letGo])
  const wanted = chosen(cartSaid(said, refused))
  if (chosen(view.cart) !== wanted)
    fail(`the screen shows\n  ${chosen(view.cart)}\nand not what was said,\n  ${wanted}`)
}

const edit = async (run: Run, step: EditStep): Promise<void> => {
  const { phone, tabs, tell } = run
  const tab = tabs[step.who]
  const key = cartOfPick(step.cart)
  const said = saidOf(run, key)
  const view = await look(run, key)
  checkView(run, said, view)
  const seen: Seen = { key, view, typed: run.typed, taken: run.taken.get(said.key) ?? null }
  if (step.what === 'retry' || step.what === 'let-go') {
    const one = view.refused[step.pick % view.refused.length]
    if (one && step.what === 'retry') await retry(run, said, one)
    else if (one) {
      tell(`${tab.name}, ${key.orderMethod} of ${key.jobId}: lets ${one.lineId} go`)
      await atOnce(dropRefused(tab.db, one.mutationId))
      run.letGo.add(one.lineId)
    }
    return await editInstead(run, step)
  }
  tab.issued.length = 0
  const begun = begin(tab, step, seen, (taken) => run.taken.set(said.key, taken))
  if (!begun) return await editInstead(run, step)
  let taking = true
  if (step.killed === null) {
    const done = await atOnce(begun.done)
    if (!done?.ok && (done?.problem === 'device-failed' || !done)) fail(`an edit failed: ${done?.problem}`)
    taking = done?.ok ?? false
  } else {
    begun.done.catch(() => {})
    for (let turns = 0; turns < step.killed; turns += 1) await turn()
    kill(run, step.who)
    taking = await cameThrough(run, said, begun.saying(tab.issued))
    tabs[step.who] = reopened(phone, step.who)
  }
  const doing = begun.saying(tab.issued).map(({ mutation: { id: _, v: __, at: ___, ...change } }) => change)
  tell(`${tab.name}, ${key.orderMethod} of ${key.jobId}: ${taking ? '' : 'in vain '}${doing.map(shortly).join(', ')}`)
  if (!taking) return step.killed === null ? await editInstead(run, step) : undefined
  run.edits += 1
  said.changes.push(...begun.saying(tab.issued))
  begun.learned?.(tab.issued)
  for (const one of run.typed) {
    if (one.number !== 0) continue
    const row = await atOnce(run.probe.db.people.where('personId').equals(one.personId).first())
    one.number = -(row?.n ?? 0)
  }
  if (step.killed === null) void tab.sender.wake('mutation')
}

/** What is tried again is told after all else. */
const retry = async ({ tabs: [tab], probe, tell }: Run, said: Said, { mutationId }: RefusedChange): Promise<void> => {
  const row = await atOnce(probe.db.outbox.where('mutationId').equals(mutationId).first())
  if (!row) return
  const { mutation } = row.recorded
  tell(`${tab.name} tries again: ${shortly(mutation)}`)
  await atOnce(retryRefused(tab.db, tab.stamp, mutationId))
  const isIt = (one: Recorded) =>
    'lineId' in mutation
      ? 'lineId' in one.mutation && one.mutation.lineId === mutation.lineId
      : isSameTarget(mutation, one.mutation)
  said.changes.sort((one, other) => Number(isIt(one)) - Number(isIt(other)))
}

const shortly = (change: object): string =>
  Object.entries(change)
    .filter(([, value]) => value !== null && !Array.isArray(value))
    .map(([name, value]) => (name === 'do' ? value : `${name} ${String(value).slice(0, 8)}`))
    .join(' ')

/** Where one edit does not go, or there is nothing to edit, there is one that does. */
const editInstead = async (run: Run, step: EditStep): Promise<void> => {
  const isAnybody = cartOfPick(step.cart).orderMethod === 'gallery' || run.typed.length > 0
  await edit(run, { ...step, what: isAnybody ? 'add' : 'person', pick: 0, amount: isAnybody ? 0 : step.amount })
}

/** Of an edit that nobody was told the end of: whether it is there. */
const cameThrough = async (run: Run, said: Said, saying: Said['changes']): Promise<boolean> => {
  const view = await look(run, said.key)
  const refused = new Set([...refusedLines(view), ...run.letGo])
  const with_ = { ...said, changes: [...said.changes, ...saying] }
  const person = saying.find(({ mutation }) => mutation.do === 'person.set')?.mutation
  if (person && 'personId' in person) {
    const row = await atOnce(
      run.probe.db.people
        .where('personId')
        .equals(person.personId ?? '')
        .first(),
    )
    return row !== undefined && 'firstName' in person && row.firstName === person.firstName
  }
  return chosen(view.cart) === chosen(cartSaid(with_, refused)) && saying.length > 0
}

const reopened = (phone: Phone, who: number): Tab => {
  const tab = open(phone, who)
  void tab.sender.wake('start')
  return tab
}

const kill = ({ tabs, tell }: Run, who: 0 | 1 | 2): void => {
  tell(`${tabs[who].name} is killed`)
  tabs[who].kill()
}

const act = async (run: Run, step: Step): Promise<void> => {
  const { phone, tabs, tell } = run
  phone.chance = chanceFrom(step.seed)
  if (step.do === 'edit') return await edit(run, step)
  if (step.do === 'pass') {
    tell(`${step.milliseconds} ms pass`)
    return await phone.time.pass(step.milliseconds)
  }
  if (step.do === 'fault') {
    tell(`the next request meets: ${step.fault}`)
    phone.server.faults.push(step.fault)
    for (const tab of tabs) void tab.sender.wake('tap')
  }
  if (step.do === 'wake') {
    tell(`${tabs[step.who].name} is woken: ${step.reason}`)
    void tabs[step.who].sender.wake(step.reason)
  }
  if (step.do === 'clock') {
    // While something waits for its next try: that is what a clock can spoil.
    phone.server.faults.push('cut-before')
    for (const tab of tabs) void tab.sender.wake('tap')
    await phone.time.pass(1_500)
    tell(`the clock jumps by ${step.by} ms`)
    phone.clockAhead += step.by
  }
  if (step.do !== 'kill' && step.do !== 'die') return
  void tabs[step.who].sender.wake('tap')
  for (let turns = 0; turns < step.within; turns += 1) await turn()
  if (step.do === 'die') {
    tell(`the database of ${tabs[step.who].name} dies`)
    tabs[step.who].die()
  } else {
    kill(run, step.who)
    tabs[step.who] = reopened(phone, step.who)
  }
}

const unsettled = ({ probe }: Run): Promise<number> =>
  atOnce(probe.db.outbox.where('state').anyOf('new', 'sent').count())

/** The line is whole again: without any sign of it, all that waits arrives. */
const heal = async (run: Run, why: string): Promise<void> => {
  const { phone, tell } = run
  tell(why)
  phone.server.faults.length = 0
  await phone.time.pass(healsWithinMs)
  const left = await unsettled(run)
  if (left > 0) fail(`${left} changes still wait`)
}

/** The customer opens each cart: what the server forgot meanwhile comes to light there, and is made good. */
const lookAtCarts = async (run: Run): Promise<void> => {
  const [tab] = run.tabs
  const looking = (async () => {
    for (const key of carts) {
      const answer = await refreshCart(tab.db, tab.ask, key)
      if (!answer.ok) await recover(tab.db, tab.ask, { locks: tab.locks, stamp: tab.stamp })
    }
    await tab.sender.wake('mutation')
  })()
  await run.phone.time.pass(60_000)
  await atOnce(looking)
  // What was refused for something that has passed by now is tried again by the customer.
  for (const said of run.said) {
    const doomed = doomedLines(said)
    for (const one of (await look(run, said.key)).refused) if (!doomed.has(one.lineId)) await retry(run, said, one)
  }
  void tab.sender.wake('mutation')
}

const checkEnd = async (run: Run): Promise<void> => {
  const { phone, said } = run
  for (const one of said) {
    const view = await look(run, one.key)
    const gone = new Set([...doomedLines(one), ...run.letGo])
    const wanted = chosen(cartSaid(one, gone))
    const there = chosen(phone.server.cart(one.key.jobId, one.key.orderMethod))
    if (there !== wanted) fail(`the server has\n  ${there}\nand not what was said,\n  ${wanted}`)
    if (chosen(view.cart) !== wanted)
      fail(`the screen shows\n  ${chosen(view.cart)}\nand not what was said,\n  ${wanted}`)
    const shown = refusedLines(view)
    const silent = stillWanted(one, run.letGo).filter((lineId) => !shown.has(lineId))
    if (silent.length > 0) fail(`${silent.join(', ')} was dropped without a word`)
    if (view.refused.some(({ refusal }) => refusal.sentence === '')) fail('something was refused without a reason')
    const kind = view.refused.length > 0 ? 'attention' : view.cart.cartPackages.length > 0 ? 'sent' : 'empty'
    if (view.status.kind !== kind) fail(`the status is ${view.status.kind}, not ${kind}`)
  }
  const doubled = [...phone.server.effects].filter(([, times]) => times > 1)
  if (doubled.length > 0) fail(`${doubled.map(([id]) => id).join(', ')} took effect more than once`)
  if (phone.wrong.length > 0) fail(phone.wrong.join('; '))
}

/** Plays one sequence; throws what it finds. */
export const play = async (seed: number, steps: readonly Step[], tell: Run['tell'] = () => {}): Promise<Ran> => {
  uncaught.length = 0
  const run = await start(seed, tell)
  try {
    for (const step of steps) await act(run, step)
    await heal(run, 'The line is whole again')
    await lookAtCarts(run)
    await heal(run, 'The carts were looked at')
    await checkEnd(run)
  } finally {
    for (const tab of [run.probe, ...run.tabs]) tab.kill()
  }
  if (uncaught.length > 0) fail(`nobody caught ${String(uncaught[0])}`)
  return { edits: run.edits, faults: steps.filter(isFault).length }
}
