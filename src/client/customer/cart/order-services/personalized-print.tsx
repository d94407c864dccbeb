import type { CartPackage } from '#domain/cart/cart.ts'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import type { TextNode } from '#domain/catalogue/catalogue.ts'
import { printedItems } from '#ui/print/print-content.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import styles from './order-services.module.css'

/** Where the lab prints the texts, in percent of the print. The ids are those of no node of a package. */
const node = { editable: false, dataSource: null, altDataSource: null, value: '' }
const nameNode: TextNode = { ...node, id: -1, name: 'Name', positionCoords: { x: 10, y: 85, width: 80, height: 7 } }
const yearNode: TextNode = { ...node, id: -2, name: 'Year', positionCoords: { x: 30, y: 92, width: 40, height: 5 } }

/** The print that shows the choice best: the largest, or for wallets the smallest, one without texts of its own if there is one. */
const exampleOf = (lines: readonly CartPackage[], { nameOnAllPrints, yearOnAllPrints }: PersonalizationChoice) => {
  const isOnAllPrints = nameOnAllPrints || yearOnAllPrints
  const areaOf = ({ item }: ReturnType<typeof printedItems>[number]) =>
    (item.widthInches ?? 0) * (item.heightInches ?? 0)
  const prints = lines
    .flatMap((line) => printedItems(line))
    .filter((print) => areaOf(print) > 0 && print.content.images.size > 0)
  const plain = prints.filter(({ content }) => content.texts.size === 0)
  const [example] = (plain.length > 0 ? plain : prints).sort(
    (a, b) => (areaOf(b) - areaOf(a)) * (isOnAllPrints ? 1 : -1),
  )
  return example
}

type PersonalizedPrintProps = { lines: readonly CartPackage[]; choice: PersonalizationChoice }

/** A print of the cart with the name and the year, as an example. */
export const PersonalizedPrint = ({ lines, choice }: PersonalizedPrintProps) => {
  const example = exampleOf(lines, choice)
  if (!example) return null
  const { item, content } = example
  const hasName = choice.nameOnAllPrints || choice.nameOnWallets
  const hasYear = choice.yearOnAllPrints || choice.yearOnWallets
  const texts = new Map([
    ...(hasName ? [[nameNode.id, choice.nameToPrint] as const] : []),
    ...(hasYear ? [[yearNode.id, choice.yearToPrint] as const] : []),
  ])
  return (
    <figure className={styles.example}>
      <PrintPreview item={{ ...item, textNodes: [nameNode, yearNode] }} content={{ ...content, texts }} />
      <figcaption className={styles.soft}>About how it looks on the {item.name}</figcaption>
    </figure>
  )
}
