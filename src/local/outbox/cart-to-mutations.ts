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

/** The complete content of a line, in the shape in which it is sent. */
export const contentOfLine = (line: CartPackage): LineContent => ({
  greenScreenBackgroundId: line.greenScreen?.id ?? null,
  dataFields: line.dataFields,
  textNodes: line.cartPackageItems.flatMap((item) => item.textNodes.map(textChoice)),
  imageNodes: line.cartPackageItems.flatMap((item) => item.imageNodes.map(imageChoice)),
})

/** A typed-in subject is identified by the device's id only: a server that lost it assigns another id. */
const subjectKeyOf = ({ subjectId, personId }: SubjectKey): SubjectKey => ({
  subjectId: personId === null ? subjectId : null,
  personId,
})

/** The mutations that restore a line with all its fields, under its old `lineId`, so that its URL stays valid. */
export const restoreLineMutations = (line: CartPackage, stamp: Stamp): RecordedMutation[] => {
  const { lineId, packageId, subjectId, personId, quantity, snapshot } = line
  const add = {
    do: 'line.add',
    ...{ lineId, packageId, packageVersion: snapshot.package.version, quantity },
    ...subjectKeyOf({ subjectId, personId }),
    ...contentOfLine(line),
  } as const
  return [{ mutation: stampChange(add, stamp), snapshot }]
}

/**
 * Sorts lines so that each can be added: standard packages make add-ons valid, and add-ons may reach each other's
 * minimum.
 */
export const sortLinesForAdding = (lines: readonly CartPackage[]): CartPackage[] => {
  const rank = (line: CartPackage): number =>
    isStandard(line) ? -1 : (line.snapshot.package.packageAddon.requiredMinPrice ?? 0)
  return [...lines].sort((a, b) => rank(a) - rank(b))
}

/** Whether two mutations order the same service for the same subject (and image). */
export const isSameServiceMutation = ({ mutation: a }: RecordedMutation, { mutation: b }: RecordedMutation): boolean =>
  a.do === 'service.set' && b.do === 'service.set' && isSameService(a, b)

/**
 * Mutations that order the services of a cart again. They are derived from the cart: prices and kinds stay, and the
 * server compares them with what is offered.
 */
export const setServiceMutations = ({ cartOrderServicesDetails: details }: Cart, stamp: Stamp): RecordedMutation[] => {
  const setServiceMutation = (
    { orderServiceId, price, ...subjectKey }: CartOrderService,
    { imageLookupId = null, personalization = null, ...serviceFields }: ServiceDetails,
  ): RecordedMutation => {
    const key = { ...subjectKeyOf(subjectKey), orderServiceId, imageLookupId }
    const service = {
      id: 0,
      orderServiceId,
      name: '',
      description: '',
      level: null,
      price,
      enabled: true,
      ...serviceFields,
    }
    return {
      mutation: stampChange({ do: 'service.set', ...key, personalization, price }, stamp),
      snapshot: { service, flags: { ...allServicesAllowed, imageLevelService: details.imageLevel } },
    }
  }
  return [
    ...details.cartOrderServices.map((entry) => setServiceMutation(entry, { kind: 'service' })),
    ...details.retouches.map((entry) => {
      const { level, imageLookupId } = entry
      return setServiceMutation(entry, { kind: 'retouch', level, imageLookupId })
    }),
    ...details.personalizations.map((entry) =>
      setServiceMutation(entry, { kind: 'personalization', personalization: personalizationChoiceOf(entry) }),
    ),
  ]
}

type ServiceDetails = {
  kind: ServiceKind
  level?: 'basic' | 'premium'
  imageLookupId?: number | null
  personalization?: PersonalizationChoice | null
}

const allServicesAllowed = { allowRetouch: true, allowNameOnAllPrints: true, allowNameOnWallets: true }
