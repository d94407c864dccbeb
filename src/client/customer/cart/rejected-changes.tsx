import { getSubject } from '#contract/customer/discovery-calls.ts'
import { discardRejected, resumeCart, retryRejected } from '#local/outbox/rejected-mutations.ts'
import type { DeviceFailure } from '#local/recovery/with-database-retry.ts'
import type { CartView, RejectedMutation } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { lineName } from '../shared/cart/line-texts.ts'

/** Applies the decision. Its notice then disappears, so the focus moves to the top of the cart. */
const decide = async (decision: Promise<DeviceFailure | undefined>): Promise<void> => {
  const failure = await decision
  if (failure) toastError([failure.message])
  else document.getElementById('cart')?.focus({ preventScroll: true })
}

const messageByKind: Readonly<Record<RejectedMutation['kind'], string>> = {
  'line.add': 'was not accepted',
  'line.customise': ': the last changes were not accepted',
  'line.quantity': ': the new quantity was not accepted',
  'line.remove': ': removing it was not accepted',
  'line.accept': ': the new version was not accepted',
  'cart.clear': 'could not be emptied',
  'service.set': 'was not accepted',
  'service.remove': ': removing it was not accepted',
  'person.set': ': the name was not accepted',
  'pose.set': 'was not accepted',
}

const defaultNameByKind: Partial<Readonly<Record<RejectedMutation['kind'], string>>> = {
  'cart.clear': 'The cart',
  'service.set': 'A service',
  'service.remove': 'A service',
  'person.set': 'A person',
  'pose.set': 'The yearbook photo',
}

const titleOf = (rejected: RejectedMutation, names: ReadonlyMap<string, string>) => {
  const { kind, itemName, firstName, lineId } = rejected
  const item = itemName ?? (lineId ? names.get(lineId) : undefined) ?? defaultNameByKind[kind] ?? 'An item'
  const name = firstName ? `${item} for ${firstName}` : item
  // A newer build in another tab may have stored a kind that this build does not know.
  const label = messageByKind[kind] ?? 'was not accepted'
  return label.startsWith(':') ? `${name}${label}` : `${name} ${label}`
}

/**
 * The changes that the studio rejected, each with its reason and the choice to retry or discard it. The rest of the
 * cart is unaffected.
 */
export const RejectedChanges = ({ cartKey, view }: { cartKey: CartKey; view: CartView }) => {
  const { rejected, paused } = view
  const names = new Map(view.lines.map(({ line }) => [line.lineId, lineName(line)]))
  return (
    <>
      {paused && (
        <Notice
          tone="attention"
          title="Your cart is waiting for you"
          action={
            <Button size="sm" onClick={() => void decide(resumeCart(database, cartKey))}>
              Try again
            </Button>
          }
        >
          {paused.message}. It is saved on this phone.
        </Notice>
      )}
      {rejected.map((rejected) => (
        <RejectedChange key={rejected.mutationId} {...{ rejected, names }} jobId={cartKey.jobId} />
      ))}
    </>
  )
}

type RejectedChangeProps = { rejected: RejectedMutation; names: ReadonlyMap<string, string>; jobId: number }

const RejectedChange = ({ rejected, names, jobId }: RejectedChangeProps) => {
  // A yearbook pose can belong to a subject who is not in the cart.
  const { subjectId, rejection } = rejected
  const isForBackground = rejection.problem === 'background-gone'
  const { data } = useQuery(
    getSubject,
    subjectId === null || rejected.firstName ? null : { params: { jobId, subjectId } },
  )
  return (
    <Notice
      tone="attention"
      title={titleOf({ ...rejected, firstName: rejected.firstName ?? data?.firstName ?? null }, names)}
      action={
        <>
          <Button size="sm" onClick={() => void decide(retryRejected(database, stamp, rejected.mutationId))}>
            {isForBackground ? 'Continue without it' : 'Try again'}
          </Button>
          <Button
            size="sm"
            variant="secondary"
            onClick={() => void decide(discardRejected(database, rejected.mutationId))}
          >
            {rejected.kind === 'line.add' || rejected.kind === 'service.set' ? 'Remove it' : 'Keep it as it was'}
          </Button>
        </>
      }
    >
      {isForBackground ? 'Its background is no longer available. You can choose another.' : rejection.message}
    </Notice>
  )
}
