import type { Infer } from 'superstruct'
import type { OrderPoses as Poses } from '../../../contract/order-poses.ts'
import type { OrganizationType } from '../../../domain/catalogue.ts'
import { isEditableImageNode } from '../../../domain/nodes.ts'
import type { Person } from '../person.ts'
import { type Part, partOfLine, startPart } from './part.ts'
import { fieldIdOf, type Gap, gapsOf, type Step } from './steps.ts'

export type OrderPoses = Infer<typeof Poses>
export type LineToPose = OrderPoses['lines'][number]

/** Whom a line is for, as far as it tells. */
export const personOn = ({ line }: LineToPose): Person => ({
  subjectId: line.subjectId,
  personId: line.personId,
  ...line.snapshot.subject,
  fields: [],
  dataFields: null,
})

/** A paid package on its way to its pictures: those it has, and in what is still empty the first that fits. */
export const partToPose = (one: LineToPose, organizationType: OrganizationType): Part => {
  const part = partOfLine(one.line)
  const situation = { person: personOn(one), images: one.images, imageId: null, organizationType }
  const { images } = startPart(part.package, { ...situation, orderMethod: 'gallery' })
  const taken = new Set(part.images.map((choice) => choice.packageItemImageNodeId))
  return { ...part, images: [...part.images, ...images.filter((choice) => !taken.has(choice.packageItemImageNodeId))] }
}

/** The items whose pictures the customer chooses; their texts were bought as they are. */
export const stepsToPose = (part: Part): Step[] =>
  part.package.items.flatMap((item) => {
    const imageNodes = item.imageNodes.filter(isEditableImageNode)
    return imageNodes.length === 0 ? [] : [{ part: 0, item, imageNodes, textNodes: [] }]
  })

/** The pictures that are still missing; `at` is the line's place in the order. */
export const gapsToPose = (part: Part, person: Person, at: number): Gap[] =>
  gapsOf([part], person, 'gallery')
    .filter(({ kind }) => kind === 'image')
    .map((gap) => ({ ...gap, fieldId: fieldIdOf(at, gap.kind, gap.nodeId) }))
