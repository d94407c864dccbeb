import { Link } from 'wouter'
import { shownText } from '../../../domain/mask.ts'
import type { CartView, LineView } from '../../../local/cart-view.ts'
import { urls } from '../../shell/urls.ts'
import { Price } from '../../ui/price.tsx'
import type { CustomerEvent } from '../event.tsx'
import { contentOfItem } from '../print-content.ts'
import { contentsWords, PrintSet } from '../print-set.tsx'
import styles from './checkout.module.css'

/** The finished packages, each as it will be printed. */
export const ReviewLines = ({ event, cart }: { event: CustomerEvent; cart: CartView }) => (
  <section aria-labelledby="review-lines" className={styles.section}>
    <div className={styles.fact}>
      <h2 id="review-lines">Your packages</h2>
      <Link href={urls.cart(event)} className={styles.change}>
        Change
      </Link>
    </div>
    <ul className={styles.lines}>
      {cart.lines.map((view) => (
        <ReviewLine key={view.line.lineId} view={view} />
      ))}
    </ul>
  </section>
)

const ReviewLine = ({ view: { line, totalCents } }: { view: LineView }) => {
  const { package: made, subject } = line.snapshot
  const items = made.items.map((item) => ({ item, content: contentOfItem(line, item) }))
  const texts = textsOf(line)
  return (
    <li className={styles.reviewed}>
      <div className={styles.picture}>
        <PrintSet items={items} label={`${made.name} for ${subject.firstName}: ${contentsWords(made.items)}`} />
      </div>
      <span className={styles.name}>
        {line.quantity > 1 && `${line.quantity} × `}
        {made.name}
      </span>
      <Price cents={totalCents} />
      <span className={styles.texts}>
        {subject.firstName} {subject.lastName}
        {texts !== '' && ` · “${texts}”`}
      </span>
    </li>
  )
}

/** The texts on a line as they may be shown, each once. */
const textsOf = ({ cartPackageItems, snapshot }: LineView['line']): string => {
  const nodes = snapshot.package.items.flatMap((item) => item.textNodes)
  const shown = cartPackageItems.flatMap((item) =>
    item.textNodes.flatMap(({ packageItemTextNodeId, value }) => {
      const node = nodes.find(({ id }) => id === packageItemTextNodeId)
      return node && value.trim() !== '' ? [shownText(node, value)] : []
    }),
  )
  return [...new Set(shown)].join('”, “')
}
