import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { readCart } from '#local/cart.ts'
import { saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/database.ts'
import { searchProofOf } from '#support/cart-server/model-server.ts'
import type { RemovedLines, TypedTestSubject } from './cart-edits.ts'
import { comparableCart, type ExpectedChanges, expectedCart, matchesExpected, refusedLines } from './expected-cart.ts'
import { events } from './sequence-shop.ts'
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
  /** Reads what lies on the phone, and never dies. */
  probe: Tab
  tabs: [Tab, Tab, Tab]
  said: ExpectedChanges[]
  typed: TypedTestSubject[]
  taken: Map<CartKey, RemovedLines | null>
  /** Lines the customer let go after they were refused. */
  letGo: Set<string | null>
  edits: number
  tell: (line: string) => void
}

const open = (phone: Phone, who: number): Tab => phone.openTab(['one tab', 'the other tab', 'the worker'][who] ?? '')

/** A phone with two tabs and a worker, whose customer was let into both events and confirmed everybody they order for. */
export const start = async (seed: number, tell: Run['tell']): Promise<Run> => {
  const phone = createPhone(seed)
  const probe = phone.openTab('the probe')
  const studio = { studioSlug: 'riverside', studioId: 1 }
  for (const [jobId, code] of [
    [1, 'SPRING'],
    [2, 'TEAM'],
  ] as const)
    await settleWithoutTime(saveAccessCode(probe.db, { ...studio, jobId, code }))
  for (const { jobId, subjects: people } of events)
    for (const { subjectId } of people)
      await settleWithoutTime(saveConfirmedSubject(probe.db, { jobId, subjectId, proof: searchProofOf(subjectId) }))
  const entered = (async () => {
    for (const code of ['SPRING', 'TEAM'])
      await probe.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    for (const { jobId, subjects: people } of events)
      for (const { subjectId } of people)
        await probe.ask(confirmSubject, { params: { jobId }, body: { subjectId, proof: searchProofOf(subjectId) } })
  })()
  await phone.time.pass(20_000)
  await settleWithoutTime(entered)
  const tabs: Run['tabs'] = [open(phone, 0), open(phone, 1), open(phone, 2)]
  const said = carts.map((key) => ({ key, changes: [] }))
  return { phone, probe, tabs, said, typed: [], taken: new Map(), letGo: new Set(), edits: 0, tell }
}

export const expectedOf = ({ said }: Run, key: CartKey): ExpectedChanges => {
  const found = said.find(
    (one) => one.key === key || (one.key.jobId === key.jobId && one.key.orderMethod === key.orderMethod),
  )
  if (!found) throw new Error('no such cart')
  return found
}

export const readShownCart = ({ probe }: Run, { jobId, orderMethod }: CartKey): Promise<CartView> =>
  settleWithoutTime(readCart(probe.db, jobId, orderMethod))

export const fail = (what: string): never => {
  throw new Error(what)
}

/** That the screen shows what was said. */
export const checkShownCart = (run: Run, said: ExpectedChanges, view: CartView): void => {
  const refused = new Set([...refusedLines(view), ...run.letGo])
  if (!matchesExpected(view.cart, said, refused))
    fail(
      `the screen shows\n  ${comparableCart(view.cart)}\nand not what was said,\n  ${comparableCart(expectedCart(said, refused))}`,
    )
}

export const reopened = (phone: Phone, who: number): Tab => {
  const tab = open(phone, who)
  void tab.sender.wake('start')
  return tab
}

export const kill = ({ tabs, tell }: Run, who: 0 | 1 | 2): void => {
  tell(`${tabs[who].name} is killed`)
  tabs[who].kill()
}
