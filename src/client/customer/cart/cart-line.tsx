import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash'
import { lazy, memo, Suspense } from 'react'
import { lineCompleteness } from '#domain/cart/completeness.ts'
import { printsOnWhite } from '#domain/cart/line-background.ts'
import { lineBlocker, lineBlockerMessages } from '#domain/cart/line-blocker.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { LineView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink, IconButton } from '#ui/button/button.tsx'
import { QuantityStepper } from '#ui/form/quantity-stepper.tsx'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import { lineName, lineTexts } from '../shared/cart/line-texts.ts'
import { contentsLabel } from '../shared/catalogue/item-labels.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import styles from './cart.module.css'
import { CopyToSubject } from './copy-to-subject/copy-to-subject.tsx'
import { lineElementId, packageChange } from './line-labels.ts'
import { removeLineWithUndo, stepLineQuantity } from './remove-with-undo.ts'

const VersionChange = lazy(async () => ({
  default: (await import('./package-version-notice.tsx')).PackageVersionNotice,
}))

type CartLineProps = {
  route: CustomerRoute
  cartKey: CartKey
  view: LineView
  offeredPackages: readonly Package[] | undefined
  /** The subject's add-ons. */
  addOns: readonly LineView[]
  /** The subject's id in URLs; null if none is known. */
  subjectNumber: number | null
  /** Ids of every subject this device knows in the job. */
  knownSubjectIds: readonly number[]
  /** A payment of the cart is pending: the cart must not change. */
  hasPendingPayment: boolean
}

const isSameValue = (previous: unknown, current: unknown): boolean =>
  Array.isArray(previous) && Array.isArray(current)
    ? previous.length === current.length && previous.every((item, index) => item === current[index])
    : previous === current

const hasSameProps = (before: CartLineProps, after: CartLineProps): boolean =>
  (Object.keys(after) as (keyof CartLineProps)[]).every((key) => isSameValue(before[key], after[key])) // Object.keys loses the type of the keys

/** What the customer must do before this line can be ordered; null if nothing. */
const openTaskOf = ({ line }: LineView, { orderMethod }: CartKey): string | null => {
  const blocker = lineBlocker(line)
  if (blocker) return lineBlockerMessages[blocker]
  return lineCompleteness(line, orderMethod).all ? null : 'Something is missing. Choose “Edit” to finish it'
}

/** One package of the cart: its print preview, texts, quantity and price. */
export const CartLine = memo((props: CartLineProps) => {
  const { cartKey, view, offeredPackages } = props
  const { line, totalCents } = view
  const name = lineName(line)
  const { items } = line.snapshot.package
  const contents = contentsLabel(items)
  const change = packageChange(line, offeredPackages)
  return (
    <article id={lineElementId(line)} tabIndex={-1} className={styles.line} aria-label={name}>
      <div className={styles.prints}>
        <PackagePrints items={printedItems(line)} label={`As it will print: ${contents}`} />
      </div>
      <LineContents view={view} contents={contents} openTask={openTaskOf(view, cartKey)} />
      <p className={styles.price}>
        <Price cents={totalCents} />
        {line.quantity > 1 && (
          <span className={styles.unitPrice}>
            {line.quantity} × <Price cents={toCents(line.price)} />
          </span>
        )}
      </p>
      <LineTools {...props} name={name} />
      {change && (
        <Suspense>
          <VersionChange cartKey={cartKey} line={line} change={change} />
        </Suspense>
      )}
    </article>
  )
}, hasSameProps)

type LineContentsProps = { view: LineView; contents: string; openTask: string | null }

const LineContents = ({ view: { line }, contents, openTask }: LineContentsProps) => {
  const texts = lineTexts(line)
  return (
    <div className={styles.details}>
      <h3 className={styles.name}>
        <PackageName>{lineName(line)}</PackageName>
      </h3>
      <p className={styles.contents}>{contents}</p>
      {printsOnWhite(line) && <p className={styles.contents}>No background: prints on white.</p>}
      {texts.length > 0 && (
        <dl className={styles.texts}>
          {texts.map((text) => (
            <div key={`${text.name} ${text.value}`}>
              <dt>{text.name}</dt>
              <dd>{text.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {openTask && <p className={styles.unfinished}>{openTask}.</p>}
    </div>
  )
}

/** Changes the quantity, edits, copies or removes the line. */
const LineTools = (props: CartLineProps & { name: string }) => {
  const { route, cartKey, view, addOns, subjectNumber, knownSubjectIds, hasPendingPayment, name } = props
  const { closedReason } = useJobContext()
  const { line, number, rejection } = view
  const frozen = closedReason !== null || hasPendingPayment
  const remove = () => void removeLineWithUndo(cartKey, line.lineId)
  return (
    <div className={styles.tools}>
      <QuantityStepper
        label={name}
        value={line.quantity}
        disabled={frozen}
        onStep={(by) => stepLineQuantity(cartKey, line.lineId, by)}
        onRemove={remove}
      />
      {!frozen && (
        <ButtonLink
          href={urls.editCartPackage({ ...route, cartPackageId: number })}
          variant="quiet"
          size="sm"
          icon={Pencil}
          aria-label={`Edit ${name}`}
        >
          Edit
        </ButtonLink>
      )}
      {!frozen && <CopyToSubject {...{ route, view, addOns, subjectNumber, knownSubjectIds }} />}
      {/* At quantity one, the stepper already removes the line. */}
      {line.quantity > 1 && !frozen && <IconButton icon={Trash} label={`Remove ${name}`} onClick={remove} />}
      {rejection && <span className={styles.state}>Needs your attention</span>}
    </div>
  )
}
