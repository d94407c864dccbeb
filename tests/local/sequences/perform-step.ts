import { isSameTarget } from '#domain/cart/coalesce-mutations.ts'
import type { RecordedMutation } from '#domain/cart/mutation.ts'
import { discardRejected, retryRejected } from '#local/outbox/rejected-mutations.ts'
import type { RejectedMutation } from '#local/store/cart-view.ts'
import type { OutboxRow } from '#local/store/database.ts'
import { seededRandom } from '#support/network/fault-plans.ts'
import { beginEdit, type EditContext, type EditStep } from './cart-edits.ts'
import { type ExpectedChanges, matchesExpected, refusedLines } from './expected-cart.ts'
import type { Step } from './sequence-plan.ts'
import {
  cartOfPick,
  checkShownCart,
  expectedOf,
  fail,
  kill,
  type Run,
  readShownCart,
  reopened,
} from './sequence-run.ts'
import { turn } from './simulated-platform.ts'
import { settleWithoutTime } from './simulated-time.ts'

const edit = async (run: Run, step: EditStep): Promise<void> => {
  const { phone, tabs, tell } = run
  const tab = tabs[step.who]
  const key = cartOfPick(step.cart)
  const said = expectedOf(run, key)
  const view = await readShownCart(run, key)
  checkShownCart(run, said, view)
  const seen: EditContext = { key, view, typed: run.typed, taken: run.taken.get(said.key) ?? null }
  if (step.what === 'retry' || step.what === 'let-go') {
    const one = view.refused[step.pick % view.refused.length]
    if (one && step.what === 'retry') await retry(run, said, one)
    else if (one) {
      tell(`${tab.name}, ${key.orderMethod} of ${key.jobId}: lets ${one.lineId} go`)
      await settleWithoutTime(discardRejected(tab.db, one.mutationId))
      run.letGo.add(one.lineId)
    }
    return await editInstead(run, step)
  }
  tab.issued.length = 0
  const begun = beginEdit(tab, step, seen, (taken) => run.taken.set(said.key, taken))
  if (!begun) return await editInstead(run, step)
  let taking = true
  if (step.killed === null) {
    const done = await settleWithoutTime(begun.done)
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
  // What was let go and is put back by undoing its removal is wanted again.
  for (const { mutation } of begun.saying(tab.issued)) if (mutation.do === 'line.add') run.letGo.delete(mutation.lineId)
  begun.learned?.(tab.issued)
  for (const one of run.typed) {
    if (one.number !== 0) continue
    const row = await settleWithoutTime(run.probe.db.people.where('personId').equals(one.personId).first())
    one.number = -(row?.n ?? 0)
  }
  if (step.killed === null) void tab.sender.wake('mutation')
}

/** What is tried again is told after all else. */
export const retry = async (
  { tabs: [tab], probe, tell }: Run,
  said: ExpectedChanges,
  { mutationId }: RejectedMutation,
): Promise<void> => {
  const row = await settleWithoutTime(probe.db.outbox.where('mutationId').equals(mutationId).first())
  if (!row) return
  const { mutation } = row.recorded
  const isOfLine = (one: OutboxRow): boolean => row.lineId !== null && one.lineId === row.lineId
  const isClearing = (one: OutboxRow): boolean =>
    one.recorded.mutation.do === 'cart.clear' && one.jobId === row.jobId && one.orderMethod === row.orderMethod
  const underWay = () => settleWithoutTime(probe.db.outbox.where('state').anyOf('new', 'sent').toArray())
  const before = await underWay()
  // What is still under way of the line would be told before it, and refused in its turn; a clearing took what was said of it since along.
  if (row.lineId !== null && before.some((one) => isOfLine(one) || isClearing(one))) return
  tell(`${tab.name} tries again: ${shortly(mutation)}`)
  await settleWithoutTime(retryRejected(tab.db, tab.stamp, mutationId))
  // What cannot be in the cart as it is by now stays refused, and what was ended just before is gone.
  const known = new Set(before.map((one) => one.mutationId))
  const isTold = (one: OutboxRow): boolean => isOfLine(one) || isSameTarget(one.recorded.mutation, mutation)
  if (!(await underWay()).some((one) => !known.has(one.mutationId) && isTold(one))) return
  const added = said.changes.find((one) => one.mutation.do === 'line.add' && one.mutation.lineId === row.lineId)
  const personId = added && 'personId' in added.mutation ? added.mutation.personId : null
  // A line brings its person along as they are called by now.
  const isOfPerson = (one: RecordedMutation): boolean =>
    personId !== null && one.mutation.do === 'person.set' && one.mutation.personId === personId
  const isIt = (one: RecordedMutation) =>
    'lineId' in mutation
      ? ('lineId' in one.mutation && one.mutation.lineId === mutation.lineId) || isOfPerson(one)
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
const cameThrough = async (run: Run, said: ExpectedChanges, saying: ExpectedChanges['changes']): Promise<boolean> => {
  const view = await readShownCart(run, said.key)
  const refused = new Set([...refusedLines(view), ...run.letGo])
  const with_ = { ...said, changes: [...said.changes, ...saying] }
  const person = saying.find(({ mutation }) => mutation.do === 'person.set')?.mutation
  if (person && 'personId' in person) {
    const row = await settleWithoutTime(
      run.probe.db.people
        .where('personId')
        .equals(person.personId ?? '')
        .first(),
    )
    return row !== undefined && 'firstName' in person && row.firstName === person.firstName
  }
  return matchesExpected(view.cart, with_, refused) && saying.length > 0
}

export const act = async (run: Run, step: Step): Promise<void> => {
  const { phone, tabs, tell } = run
  phone.chance = seededRandom(step.seed)
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
