import type { Order } from '#contract/customer/order-calls.ts'
import { classNames } from '#ui/class-names.ts'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { contentsLabel } from '../shared/catalogue/item-labels.ts'
import { personalizationLabel } from '../shared/order-services/ordered-services.ts'
import styles from './orders.module.css'

/** The order's lines, each with its image. */
export const OrderLines = ({ lines }: Pick<Order, 'lines'>) => (
  <section aria-labelledby="order-lines">
    <h2 id="order-lines">What you ordered</h2>
    <ul className={styles.lines}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: order lines have no id and never move
        <OrderLine key={index} line={line} />
      ))}
    </ul>
  </section>
)

const itemsLabel = ({ items }: Order['lines'][number]): string => contentsLabel(items)

// A customer who found the order by its number sees no images: the packages identify the subject.
const retouchedLabel = (packages: readonly string[]): string =>
  packages.length > 0 ? `The photo in ${packages.join(', ')}` : 'A photo not in a package'

const OrderLine = ({ line }: { line: Order['lines'][number] }) => {
  const { personalization, retouchedIn } = line
  const texts = [...new Set(line.items.flatMap((item) => item.texts).filter((text) => text.trim() !== ''))]
  return (
    <li className={classNames(styles.line, line.imageThumbnailUrl === null && styles.withoutImage)}>
      {line.imageThumbnailUrl !== null && (
        <div className={styles.image}>
          <img src={line.imageThumbnailUrl} alt={line.subjectName} />
        </div>
      )}
      <div>
        <p className={styles.name}>
          <PackageName>{line.quantity > 1 ? `${line.quantity} × ${line.packageName}` : line.packageName}</PackageName>
        </p>
        <p className={styles.soft}>{line.subjectName}</p>
        {line.items.length > 0 && <p className={styles.soft}>{itemsLabel(line)}</p>}
        {personalization && <p className={styles.soft}>{personalizationLabel(personalization)}</p>}
        {retouchedIn && <p className={styles.soft}>{retouchedLabel(retouchedIn)}</p>}
        {texts.length > 0 && <p className={styles.soft}>“{texts.join('”, “')}”</p>}
      </div>
      <Price cents={line.totalCents} />
    </li>
  )
}
