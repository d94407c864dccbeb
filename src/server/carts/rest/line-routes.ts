import type { FastifyInstance } from 'fastify'
import type { Infer } from 'superstruct'
import {
  deleteCartPackage,
  patchCartPackage,
  patchImageNode,
  patchTextNode,
  postCartPackage,
} from '#contract/customer/cart-calls.ts'
import { problems } from '#contract/shapes/problems.ts'
import type { Cart, CartPackage, ImageChoice } from '#domain/cart/cart.ts'
import type { Change, LineContent } from '#domain/cart/mutation.ts'
import { normaliseRotation } from '#domain/printing/crop.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import { type CallRequest, mount } from '#server/http/mount.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { readCart } from '../store/read-cart.ts'
import { applyMutations } from '../sync/apply-mutations.ts'
import { findLine, type LineRef } from './find-line.ts'
import { derivedId, rejectionProblem, restCommand } from './rest-commands.ts'

const addPackage = async (deps: Deps, asked: CallRequest<typeof postCartPackage>) => {
  const { body, session, job } = asked
  const { packageId, subjectId, orderMethod } = body
  // The specification's message (section 8).
  if (!packageId || !subjectId) return problem('refused', problems.unexpected.sentence)
  const whose = { session, job, orderMethod }
  const lineId = body.lineId ?? derivedId(deps, asked, 'line')
  const line: Change = {
    do: 'line.add',
    lineId,
    packageId,
    // No version has this number: the server uses the current one.
    packageVersion: Number.MAX_SAFE_INTEGER,
    subjectId,
    personId: null,
    quantity: body.quantity ?? 1,
    greenScreenBackgroundId: body.greenScreenBackgroundId ?? null,
    dataFields: body.dataFields ?? [],
    textNodes: body.textNodes ?? [],
    imageNodes: body.imageNodes ?? [],
  }
  const told = restCommand(deps, asked, { kind: line.do, changes: () => [line] })
  const [result] = await applyMutations(deps, whose, [told])
  const cart = await readCart(deps.db, whose, deps.clock())
  const added = cart?.cartPackages.find((one) => one.lineId === lineId)
  // A repeated request may arrive after the line was removed.
  return rejectionProblem(result) ?? added ?? problem('not-found')
}

type Changes = (line: CartPackage) => readonly Change[]
type LineCallRequest = JobSession & Parameters<typeof restCommand>[1]

/** Finds the line in this session's carts, applies the changes to its cart, and returns the cart. */
const changeLine = async (
  deps: Deps,
  asked: LineCallRequest,
  { lineRef, does, changes }: { lineRef: LineRef; does: Change['do']; changes: Changes },
): Promise<Cart | Problem<'not-found' | 'refused' | 'key-reused'>> => {
  const found = await findLine(deps.db, asked, lineRef)
  if (!found) return problem('not-found')
  const whose = { session: asked.session, job: asked.job, orderMethod: found.orderMethod }
  const ofLine = ({ cartPackages }: Cart) => cartPackages.filter((one) => one.lineId === found.lineId).flatMap(changes)
  const [result] = await applyMutations(deps, whose, [restCommand(deps, asked, { kind: does, changes: ofLine })])
  // The line was removed since it was found. A line that this change removes has another problem.
  if (result?.problem === 'line-unknown') return problem('not-found')
  return rejectionProblem(result) ?? (await readCart(deps.db, whose, deps.clock())) ?? problem('not-found')
}

/** Fields that are not named stay unchanged; a mutation repeats fields and background for that. */
const customise = (line: CartPackage, content: Partial<LineContent>): Change => ({
  do: 'line.customise',
  lineId: line.lineId,
  greenScreenBackgroundId: line.greenScreen?.id ?? null,
  dataFields: line.dataFields,
  textNodes: [],
  imageNodes: [],
  ...content,
})

const packageChanges =
  ({ quantity, ...content }: Infer<(typeof patchCartPackage)['body']>): Changes =>
  (line) => [
    ...(quantity === undefined ? [] : [{ do: 'line.quantity' as const, lineId: line.lineId, quantity }]),
    // A line removed by quantity 0 takes no more content.
    ...(quantity === 0 || Object.keys(content).length === 0 ? [] : [customise(line, content)]),
  ]

const textChange =
  (nodeId: number, value: string): Changes =>
  (line) => {
    const node = line.cartPackageItems.flatMap((item) => item.textNodes).find((one) => one.id === nodeId)
    if (!node) return []
    const { packageItemTextNodeId } = node
    return [customise(line, { textNodes: [{ packageItemTextNodeId, value, autoFilled: false }] })]
  }

type ImageParts = Infer<(typeof patchImageNode)['body']>

/**
 * Another image drops the crop of the previous one and replaces it (a node shows one image, of a subject or of a group); it is not replaced
 * by the previous image's replacement.
 */
const withParts = (node: ImageChoice, parts: ImageParts): ImageChoice => {
  const isOther = parts.subjectImageId !== undefined || parts.groupImageId !== undefined
  const uncropped = { cropDimensions: null, frontendCropDimensions: null, rotation: 0 }
  const fresh = {
    ...((isOther || parts.replacementImageId !== undefined) && uncropped),
    ...(isOther && { replacementImageId: null }),
    ...(parts.groupImageId && { subjectImageId: null }),
    ...(parts.subjectImageId && { groupImageId: null }),
  }
  const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
  const turned = parts.rotation === undefined ? {} : { rotation: normaliseRotation(parts.rotation) }
  return { ...node, ...fresh, ...given, ...turned }
}

const imageChange =
  (nodeId: number, parts: ImageParts): Changes =>
  (line) => {
    const node = line.cartPackageItems.flatMap((item) => item.imageNodes).find((one) => one.id === nodeId)
    if (!node) return []
    const { id: _, imageThumbnailUrl: __, ...choice } = node
    return [customise(line, { imageNodes: [withParts(choice, parts)] })]
  }

/** The calls that change one thing at a time; each is a mutation like those of a sync (section 7). */
export const mountCartLines = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, postCartPackage, (asked) => addPackage(deps, asked))
  mount(app, deps, patchCartPackage, (asked) =>
    changeLine(deps, asked, {
      lineRef: { cartPackageId: asked.params.id },
      does: asked.body.quantity === undefined ? 'line.customise' : 'line.quantity',
      changes: packageChanges(asked.body),
    }),
  )
  mount(app, deps, deleteCartPackage, (asked) =>
    changeLine(deps, asked, {
      lineRef: { cartPackageId: asked.params.id },
      does: 'line.remove',
      changes: ({ lineId }) => [{ do: 'line.remove', lineId }],
    }),
  )
  mount(app, deps, patchTextNode, (asked) =>
    changeLine(deps, asked, {
      lineRef: { textNodeId: asked.params.id },
      does: 'line.customise',
      changes: textChange(asked.params.id, asked.body.value),
    }),
  )
  mount(app, deps, patchImageNode, (asked) =>
    changeLine(deps, asked, {
      lineRef: { imageNodeId: asked.params.id },
      does: 'line.customise',
      changes: imageChange(asked.params.id, asked.body),
    }),
  )
}
