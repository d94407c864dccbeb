import type { StaffOrder } from '#contract/studio/order-details.ts'
import { printedText } from '#domain/printing/printable-letters.ts'
import { Price } from '#ui/price.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import styles from '../job-orders.module.css'

type Line = StaffOrder['lines'][number]

/** The texts to print, as pairs of node name and text, without duplicates. */
const printedTexts = ({ sold }: Line): [name: string, text: string][] => {
  if (!sold) return []
  const nodeById = new Map(sold.snapshot.package.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const texts = sold.cartPackageItems
    .flatMap((item) => item.textNodes)
    .map(({ packageItemTextNodeId: id, value }) => [nodeById.get(id)?.name ?? 'Text', printedText(value)] as const)
  const nonEmptyTexts = texts.filter(([, text]) => text !== '')
  return [
    ...new Map(nonEmptyTexts.map(([name, text]) => [`${name} ${text}`, [name, text] as [string, string]])).values(),
  ]
}

const LinePrints = ({ line }: { line: Line }) => {
  const { sold, name, subjectName } = line
  const texts = printedTexts(line)
  return (
    <>
      {sold && (
        <div className={styles.prints}>
          <PackagePrints items={printedItems(sold)} label={`${name} for ${subjectName}, as it prints`} />
        </div>
      )}
      {texts.length > 0 && (
        <dl className={styles.texts}>
          {texts.map(([nodeName, text]) => (
            <div key={nodeName + text}>
              <dt>{nodeName}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

/** The lines of an order with subject, price, and prints with their images, crops and texts. */
export const OrderLineList = ({ order: { lines } }: { order: StaffOrder }) => (
  <ul className={styles.lines}>
    {lines.map((line) => (
      <li key={line.id}>
        <p className={styles.lineHead}>
          <span>
            <strong>
              {line.quantity} × {line.name}
            </strong>
            {line.subjectName && ` for ${line.subjectName}`}
          </span>
          <Price cents={line.amountCents} />
        </p>
        {line.needsImages && <p className={styles.error}>Images not chosen yet</p>}
        {line.words.length > 0 && <p className={styles.soft}>{line.words.join(', ')}</p>}
        <LinePrints line={line} />
      </li>
    ))}
  </ul>
)
