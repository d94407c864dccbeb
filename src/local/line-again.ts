import { isStandard } from '../domain/add-ons.ts'
import type { CartImageNode, CartPackage, CartTextNode, ImageChoice, TextChoice } from '../domain/cart.ts'
import { type Recorded, type Stamp, stampChange } from '../domain/mutation.ts'

const textChoice = ({ packageItemTextNodeId, value, autoFilled }: CartTextNode): TextChoice => ({
  packageItemTextNodeId,
  value,
  autoFilled,
})

const imageChoice = ({ id: _, imageThumbnailUrl: __, ...choice }: CartImageNode): ImageChoice => choice

/** The mutation that makes a line once more as it stands, under its old identity, so that its address stays good. */
export const addedAgain = (line: CartPackage, stamp: Stamp): Recorded => ({
  mutation: stampChange(
    {
      do: 'line.add',
      lineId: line.lineId,
      packageId: line.packageId,
      packageVersion: line.snapshot.package.version,
      subjectId: line.subjectId,
      personId: line.personId,
      quantity: line.quantity,
      greenScreenBackgroundId: line.greenScreen?.id ?? null,
      dataFields: line.dataFields,
      textNodes: line.cartPackageItems.flatMap((item) => item.textNodes.map(textChoice)),
      imageNodes: line.cartPackageItems.flatMap((item) => item.imageNodes.map(imageChoice)),
    },
    stamp,
  ),
  snapshot: line.snapshot,
})

/** Lines in an order in which each may be added: standard packages carry the add-ons, and add-ons may carry each other's minimum. */
export const standardsFirst = (lines: readonly CartPackage[]): CartPackage[] => {
  const place = (line: CartPackage): number =>
    isStandard(line) ? -1 : (line.snapshot.package.packageAddon.requiredMinPrice ?? 0)
  return [...lines].sort((one, other) => place(one) - place(other))
}
