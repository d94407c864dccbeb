import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash'
import { lazy, memo, Suspense } from 'react'
import { lineCompleteness } from '#domain/cart/completeness.ts'
import { printsOnWhite } from '#domain/cart/line-background.ts'
import { lineBlocker, lineBlockerMessages } from '#domain/cart/line-blocker.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { toCents } from '#domain/pricing/money.ts'
import type { LineView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/database.ts'
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
  offered: readonly Package[] | undefined
  /** The subject's add-ons. */
  addOns: readonly LineView[]
  /** The subject's id in URLs; null if none is known. */
  subjectNumber: number | null
  /** Ids of every subject this device knows in the job. */
  known: readonly number[]
  /** A payment of the cart is pending: the cart must not change. */
  paying: boolean
}

const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((part, index) => part === other[index])
    : one === other

const saysTheSame = (before: CartLineProps, now: CartLineProps): boolean =>
  (Object.keys(now) as (keyof CartLineProps)[]).every((key) => isSame(before[key], now[key])) // spread typed as the component's own props

/** One package of the cart: its print preview, texts, quantity and price. */
export const CartLine = memo(
  ({ route, cartKey, view, offered, addOns, subjectNumber, known, paying }: CartLineProps) => {
    const { closed } = useJobContext()
    const { line, number, totalCents, refusal } = view
    const name = lineName(line)
    const { items } = line.snapshot.package
    const contents = contentsLabel(items)
    const texts = lineTexts(line)
    const change = packageChange(line, offered)
    const block = lineBlocker(line)
    const open = block
      ? lineBlockerMessages[block]
      : lineCompleteness(line, cartKey.orderMethod).all
        ? null
        : 'Something is still missing. Open “Edit” to finish it'
    const frozen = closed !== null || paying
    return (
      <article id={lineElementId(line)} tabIndex={-1} className={styles.line} aria-label={name}>
        <div className={styles.picture}>
          <PackagePrints items={printedItems(line)} label={`As it will print: ${contents}`} />
        </div>
        <div className={styles.about}>
          <h3 className={styles.name}>
            <PackageName>{name}</PackageName>
          </h3>
          <p className={styles.contents}>{contents}</p>
          {printsOnWhite(line) && <p className={styles.contents}>No background: prints on white.</p>}
          {texts.length > 0 && (
            <dl className={styles.texts}>
              {texts.map((text) => (
                <div key={`${text.name} ${text.shown}`}>
                  <dt>{text.name}</dt>
                  <dd>{text.shown}</dd>
                </div>
              ))}
            </dl>
          )}
          {open && <p className={styles.unfinished}>{open}.</p>}
        </div>
        <p className={styles.price}>
          <Price cents={totalCents} />
          {line.quantity > 1 && (
            <span className={styles.each}>
              {line.quantity} × <Price cents={toCents(line.price)} />
            </span>
          )}
        </p>
        <div className={styles.tools}>
          <QuantityStepper
            label={name}
            value={line.quantity}
            disabled={frozen}
            onStep={(by) => stepLineQuantity(cartKey, line.lineId, by)}
            onRemove={() => void removeLineWithUndo(cartKey, line.lineId)}
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
          {!frozen && <CopyToSubject {...{ route, view, addOns, subjectNumber, known }} />}
          {/* At quantity one, the stepper already removes the line. */}
          {line.quantity > 1 && !frozen && (
            <IconButton
              icon={Trash}
              label={`Remove ${name}`}
              onClick={() => void removeLineWithUndo(cartKey, line.lineId)}
            />
          )}
          {refusal && <span className={styles.state}>Needs your attention</span>}
        </div>
        {change && (
          <Suspense>
            <VersionChange cartKey={cartKey} line={line} change={change} />
          </Suspense>
        )}
      </article>
    )
  },
  saysTheSame,
)
