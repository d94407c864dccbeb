import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { readCart } from '#local/cart.ts'
import { saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { searchProofOf } from '#support/cart-server/model-server.ts'
import type { RemovedLines, TypedTestSubject } from './cart-edits.ts'
import {
  comparableCart,
  type ExpectedChanges,
  expectedCart,
  matchesExpected,
  rejectedLinesOf,
} from './expected-cart.ts'
import { jobs } from './sequence-shop.ts'
import { createPhone, type Phone, type Tab } from './simulated-phone.ts'
import { settleWithoutTime } from './simulated-time.ts'

export const carts: readonly CartKey[] = [
  { jobId: 1, orderMethod: 'gallery' },
  { jobId: 1, orderMethod: 'prepay' },
  { jobId: 2, orderMethod: 'gallery' },
]
/** The first cart is filled more than the others. */
export const cartOfPick = (pick: number): CartKey =>
  carts[[0, 0, 0, 1, 2][pick] ?? 0] ?? { jobId: 1, orderMethod: 'gallery' }

export type Run = {
  phone: Phone
  /** Prepares and reads the phone's database, and is never killed. */
  probe: Tab
  tabs: [Tab, Tab, Tab]
  expectedCarts: ExpectedChanges[]
  typedSubjects: TypedTestSubject[]
  lastRemovals: Map<CartKey, RemovedLines | null>
  /** Lines that the customer discarded after a rejection. */
  discardedLines: Set<string | null>
  editCount: number
  log: (line: string) => void
}

const openTab = (phone: Phone, tabIndex: number): Tab =>
  phone.openTab(['one tab', 'the other tab', 'the worker'][tabIndex] ?? '')

/**
 * A phone with two tabs and a worker, whose customer has access to both jobs and confirmed every subject they order
 * for.
 */
export const start = async (seed: number, log: Run['log']): Promise<Run> => {
  const phone = createPhone(seed)
  const probe = phone.openTab('the probe')
  const studio = { studioSlug: 'riverside', studioId: 1 }
  for (const [jobId, code] of [
    [1, 'SPRING'],
    [2, 'TEAM'],
  ] as const)
    await settleWithoutTime(saveAccessCode(probe.db, { ...studio, jobId, code }))
  for (const { jobId, subjects } of jobs)
    for (const { subjectId } of subjects)
      await settleWithoutTime(saveConfirmedSubject(probe.db, { jobId, subjectId, proof: searchProofOf(subjectId) }))
  const accessRequests = (async () => {
    for (const code of ['SPRING', 'TEAM'])
      await probe.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    for (const { jobId, subjects } of jobs)
      for (const { subjectId } of subjects)
        await probe.ask(confirmSubject, { params: { jobId }, body: { subjectId, proof: searchProofOf(subjectId) } })
  })()
  await phone.time.pass(20_000)
  await settleWithoutTime(accessRequests)
  const tabs: Run['tabs'] = [openTab(phone, 0), openTab(phone, 1), openTab(phone, 2)]
  const expectedCarts = carts.map((key) => ({ key, changes: [] }))
  return {
    phone,
    probe,
    tabs,
    expectedCarts,
    typedSubjects: [],
    lastRemovals: new Map(),
    discardedLines: new Set(),
    editCount: 0,
    log,
  }
}

export const expectedOf = ({ expectedCarts }: Run, key: CartKey): ExpectedChanges => {
  const expected = expectedCarts.find(
    (candidate) =>
      candidate.key === key || (candidate.key.jobId === key.jobId && candidate.key.orderMethod === key.orderMethod),
  )
  if (!expected) throw new Error('no such cart')
  return expected
}

export const readShownCart = ({ probe }: Run, { jobId, orderMethod }: CartKey): Promise<CartView> =>
  settleWithoutTime(readCart(probe.db, jobId, orderMethod))

export const fail = (what: string): never => {
  throw new Error(what)
}

/** Fails unless the screen shows the confirmed changes. */
export const checkShownCart = (run: Run, expected: ExpectedChanges, view: CartView): void => {
  const rejected = new Set([...rejectedLinesOf(view), ...run.discardedLines])
  if (!matchesExpected(view.cart, expected, rejected))
    fail(
      `the screen shows\n  ${comparableCart(view.cart)}\ninstead of the confirmed changes,\n  ${comparableCart(expectedCart(expected, rejected))}`,
    )
}

export const reopenTab = (phone: Phone, tabIndex: number): Tab => {
  const tab = openTab(phone, tabIndex)
  void tab.sender.wake('start')
  return tab
}

export const kill = ({ tabs, log }: Run, tabIndex: 0 | 1 | 2): void => {
  log(`${tabs[tabIndex].name} is killed`)
  tabs[tabIndex].kill()
}
