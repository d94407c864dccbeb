import type { StaffOrder } from '#contract/studio/order-details.ts'
import { printedText } from '#domain/printing/printed-text.ts'
import { Price } from '#ui/price.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import styles from '../job-orders.module.css'

type Line = StaffOrder['lines'][number]

/** The texts to be printed, without duplicates, by the name of their node. */
const textsOf = ({ sold }: Line): [name: string, text: string][] => {
  if (!sold) return []
  const nodes = new Map(sold.snapshot.package.items.flatMap((item) => item.textNodes).map((node) => [node.id, node]))
  const texts = sold.cartPackageItems
    .flatMap((item) => item.textNodes)
    .map(({ packageItemTextNodeId: id, value }) => [nodes.get(id)?.name ?? 'Text', printedText(value)] as const)
  const printed = texts.filter(([, text]) => text !== '')
  return [...new Map(printed.map(([name, text]) => [`${name} ${text}`, [name, text] as [string, string]])).values()]
}

const PrintedLine = ({ line }: { line: Line }) => {
  const { sold, name, personName } = line
  const texts = textsOf(line)
  return (
    <>
      {sold && (
        <div className={styles.prints}>
          <PackagePrints items={printedItems(sold)} label={`${name} for ${personName}, as it prints`} />
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

/** The lines of an order: subject, prints with images, crops and texts, and price. */
export const OrderLineList = ({ order: { lines } }: { order: StaffOrder }) => (
  <ul className={styles.lines}>
    {lines.map((line) => (
      <li key={line.id}>
        <p className={styles.lineHead}>
          <span>
            <strong>
              {line.quantity} × {line.name}
            </strong>
            {line.personName && ` for ${line.personName}`}
          </span>
          <Price cents={line.amountCents} />
        </p>
        {line.needsPoses && <p className={styles.wrong}>Pictures are still to be chosen</p>}
        {line.words.length > 0 && <p className={styles.soft}>{line.words.join(', ')}</p>}
        <PrintedLine line={line} />
      </li>
    ))}
  </ul>
)
