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
import type { JobAccess } from '#server/access/sessions/sessions.ts'
import { type CallRequest, mount } from '#server/http/mount.ts'
import { type JsonText, type Problem, problem } from '#server/http/problem.ts'
import { parseCart } from '../cart-cache.ts'
import { type CartDeps, cartAnswer, changeCart } from '../current-cart.ts'
import { findLine, type LineRef } from './find-line.ts'
import { derivedId, rejectionProblem, restCommand } from './rest-commands.ts'

const addPackage = async (cartDeps: CartDeps, callRequest: CallRequest<typeof postCartPackage>) => {
  const { body, session, job, access } = callRequest
  const { packageId, subjectId, orderMethod } = body
  // The specification's message (section 8).
  if (!packageId || !subjectId) return problem('refused', problems.unexpected.message)
  const cartRef = { session, job, orderMethod }
  const lineId = body.lineId ?? derivedId(cartDeps.deps, callRequest, 'line')
  const line: Change = {
    do: 'line.add',
    lineId,
    packageId,
    // No version has this number, so the server uses the current version.
    packageVersion: Number.MAX_SAFE_INTEGER,
    subjectId,
    personId: null,
    quantity: body.quantity ?? 1,
    greenScreenBackgroundId: body.greenScreenBackgroundId ?? null,
    dataFields: body.dataFields ?? [],
    textNodes: body.textNodes ?? [],
    imageNodes: body.imageNodes ?? [],
  }
  const command = restCommand(cartDeps.deps, callRequest, { kind: line.do, changes: () => [line] })
  const { results, current } = await changeCart(cartDeps, { target: cartRef, access, commands: [command] })
  const addedLine = parseCart(current).cartPackages.find((cartPackage) => cartPackage.lineId === lineId)
  // A repeated request may arrive after the line was removed.
  return rejectionProblem(results[0]) ?? addedLine ?? problem('not-found')
}

type Changes = (line: CartPackage) => readonly Change[]
type LineCallRequest = JobSession & { readonly access: JobAccess } & Parameters<typeof restCommand>[1]

/** Finds the line in this session's carts, applies the changes to its cart, and returns the cart. */
const changeLine = async (
  cartDeps: CartDeps,
  callRequest: LineCallRequest,
  { lineRef, kind, changes }: { lineRef: LineRef; kind: Change['do']; changes: Changes },
): Promise<JsonText | Problem<'not-found' | 'refused' | 'key-reused'>> => {
  const location = await findLine(cartDeps.deps.db, callRequest, lineRef)
  if (!location) return problem('not-found')
  const cartRef = { session: callRequest.session, job: callRequest.job, orderMethod: location.orderMethod }
  const lineChanges = ({ cartPackages }: Cart) =>
    cartPackages.filter(({ lineId }) => lineId === location.lineId).flatMap(changes)
  const command = restCommand(cartDeps.deps, callRequest, { kind, changes: lineChanges })
  const { results, current } = await changeCart(cartDeps, {
    target: cartRef,
    access: callRequest.access,
    commands: [command],
  })
  const [result] = results
  // Another request removed the line after `findLine` found it. If this command removes it, the problem is different.
  if (result?.problem === 'line-unknown') return problem('not-found')
  return rejectionProblem(result) ?? cartAnswer(current)
}

/**
 * Changes the given content only. A mutation always contains fields and background, so the current ones are repeated.
 */
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
    // Quantity 0 removes the line, so its content is not changed.
    ...(quantity === 0 || Object.keys(content).length === 0 ? [] : [customise(line, content)]),
  ]

const textChange =
  (nodeId: number, value: string): Changes =>
  (line) => {
    const node = line.cartPackageItems.flatMap((item) => item.textNodes).find(({ id }) => id === nodeId)
    if (!node) return []
    const { packageItemTextNodeId } = node
    return [customise(line, { textNodes: [{ packageItemTextNodeId, value, autoFilled: false }] })]
  }

type ImageChanges = Infer<(typeof patchImageNode)['body']>

/**
 * Applies changes to an image node. A newly chosen image replaces the subject or group image of the node, and drops the
 * crop and the replacement image of the previous one.
 */
const applyImageChanges = (node: ImageChoice, imageChanges: ImageChanges): ImageChoice => {
  const choosesImage = imageChanges.subjectImageId !== undefined || imageChanges.groupImageId !== undefined
  const withoutCrop = { cropDimensions: null, frontendCropDimensions: null, rotation: 0 }
  const resetValues = {
    ...((choosesImage || imageChanges.replacementImageId !== undefined) && withoutCrop),
    ...(choosesImage && { replacementImageId: null }),
    ...(imageChanges.groupImageId && { subjectImageId: null }),
    ...(imageChanges.subjectImageId && { groupImageId: null }),
  }
  const definedChanges = Object.fromEntries(Object.entries(imageChanges).filter(([, value]) => value !== undefined))
  const { rotation } = imageChanges
  const rotationChange = rotation === undefined ? {} : { rotation: normaliseRotation(rotation) }
  return { ...node, ...resetValues, ...definedChanges, ...rotationChange }
}

const imageChange =
  (nodeId: number, imageChanges: ImageChanges): Changes =>
  (line) => {
    const node = line.cartPackageItems.flatMap((item) => item.imageNodes).find(({ id }) => id === nodeId)
    if (!node) return []
    const { id: _, imageThumbnailUrl: __, ...choice } = node
    return [customise(line, { imageNodes: [applyImageChanges(choice, imageChanges)] })]
  }

/** The calls that change a single line or node; each applies a mutation like those of a sync (section 7). */
export const mountCartLines = (app: FastifyInstance, cartDeps: CartDeps): void => {
  const { deps } = cartDeps
  mount(app, deps, postCartPackage, (callRequest) => addPackage(cartDeps, callRequest))
  mount(app, deps, patchCartPackage, (callRequest) =>
    changeLine(cartDeps, callRequest, {
      lineRef: { cartPackageId: callRequest.params.id },
      kind: callRequest.body.quantity === undefined ? 'line.customise' : 'line.quantity',
      changes: packageChanges(callRequest.body),
    }),
  )
  mount(app, deps, deleteCartPackage, (callRequest) =>
    changeLine(cartDeps, callRequest, {
      lineRef: { cartPackageId: callRequest.params.id },
      kind: 'line.remove',
      changes: ({ lineId }) => [{ do: 'line.remove', lineId }],
    }),
  )
  mount(app, deps, patchTextNode, (callRequest) =>
    changeLine(cartDeps, callRequest, {
      lineRef: { textNodeId: callRequest.params.id },
      kind: 'line.customise',
      changes: textChange(callRequest.params.id, callRequest.body.value),
    }),
  )
  mount(app, deps, patchImageNode, (callRequest) =>
    changeLine(cartDeps, callRequest, {
      lineRef: { imageNodeId: callRequest.params.id },
      kind: 'line.customise',
      changes: imageChange(callRequest.params.id, callRequest.body),
    }),
  )
}
