import { isStandard } from '#domain/cart/add-ons.ts'
import type {
  Cart,
  CartImageNode,
  CartOrderService,
  CartPackage,
  CartTextNode,
  ImageChoice,
  TextChoice,
} from '#domain/cart/cart.ts'
import {
  type LineContent,
  type RecordedMutation,
  type Stamp,
  type SubjectKey,
  stampChange,
} from '#domain/cart/mutation.ts'
import type { PersonalizationChoice, ServiceKind } from '#domain/cart/order-service-types.ts'
import { isSameService, personalizationChoiceOf } from '#domain/cart/order-services.ts'

const textChoice = ({ packageItemTextNodeId, value, autoFilled }: CartTextNode): TextChoice => ({
  packageItemTextNodeId,
  value,
  autoFilled,
})

const imageChoice = ({ id: _, imageThumbnailUrl: __, ...choice }: CartImageNode): ImageChoice => choice

/** Everything filled in on a line, whole, as it would be sent. */
export const contentOfLine = (line: CartPackage): LineContent => ({
  greenScreenBackgroundId: line.greenScreen?.id ?? null,
  dataFields: line.dataFields,
  textNodes: line.cartPackageItems.flatMap((item) => item.textNodes.map(textChoice)),
  imageNodes: line.cartPackageItems.flatMap((item) => item.imageNodes.map(imageChoice)),
})

/** Somebody typed in goes by the device's name alone: a server that lost them gives them another id. */
const subjectKeyOf = ({ subjectId, personId }: SubjectKey): SubjectKey => ({
  subjectId: personId === null ? subjectId : null,
  personId,
})

/** The mutation that makes a line once more as it stands, under its old identity, so that its address stays good. */
export const addLineMutation = (line: CartPackage, stamp: Stamp): RecordedMutation => ({
  mutation: stampChange(
    {
      do: 'line.add',
      lineId: line.lineId,
      packageId: line.packageId,
      packageVersion: line.snapshot.package.version,
      ...subjectKeyOf(line),
      quantity: line.quantity,
      ...contentOfLine(line),
    },
    stamp,
  ),
  snapshot: line.snapshot,
})

/** Lines in an order in which each may be added: standard packages carry the add-ons, and add-ons may carry each other's minimum. */
export const sortLinesForAdding = (lines: readonly CartPackage[]): CartPackage[] => {
  const place = (line: CartPackage): number =>
    isStandard(line) ? -1 : (line.snapshot.package.packageAddon.requiredMinPrice ?? 0)
  return [...lines].sort((one, other) => place(one) - place(other))
}

/** Whether two order the same service for the same person (and picture). */
export const isSameServiceMutation = (
  { mutation: one }: RecordedMutation,
  { mutation: other }: RecordedMutation,
): boolean => one.do === 'service.set' && other.do === 'service.set' && isSameService(one, other)

/**
 * Mutations that order a cart's services once more as they stand. What they were made from is read off the cart: prices and kinds
 * stay, and whoever decides holds them against what is on offer.
 */
export const setServiceMutations = ({ cartOrderServicesDetails: details }: Cart, stamp: Stamp): RecordedMutation[] => {
  const again = (
    { orderServiceId, price, ...owner }: CartOrderService,
    { imageLookupId = null, personalization = null, ...of }: ServiceDetails,
  ): RecordedMutation => {
    const key = { ...subjectKeyOf(owner), orderServiceId, imageLookupId }
    const service = { id: 0, orderServiceId, name: '', description: '', level: null, price, enabled: true, ...of }
    return {
      mutation: stampChange({ do: 'service.set', ...key, personalization, price }, stamp),
      snapshot: { service, flags: { ...everythingAllowed, imageLevelService: details.imageLevel } },
    }
  }
  return [
    ...details.cartOrderServices.map((one) => again(one, { kind: 'service' })),
    ...details.retouches.map((one) => {
      const { level, imageLookupId } = one
      return again(one, { kind: 'retouch', level, imageLookupId })
    }),
    ...details.personalizations.map((one) =>
      again(one, { kind: 'personalization', personalization: personalizationChoiceOf(one) }),
    ),
  ]
}

type ServiceDetails = {
  kind: ServiceKind
  level?: 'basic' | 'premium'
  imageLookupId?: number | null
  personalization?: PersonalizationChoice | null
}

const everythingAllowed = { allowRetouch: true, allowNameOnAllPrints: true, allowNameOnWallets: true }
