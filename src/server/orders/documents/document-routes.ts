import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { object, string, validate } from 'superstruct'
import { Id } from '#contract/shapes/primitives.ts'
import { getOrderDocument } from '#contract/studio/order-details.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { Deps } from '#server/deps.ts'
import { requestedRange } from '#server/file-responses/byte-ranges.ts'
import { type FileResponse, fileInMemory, sendFile } from '#server/file-responses/send-file.ts'
import { signedRoute } from '#server/file-responses/signed-download.ts'
import { mount, sendAnswer } from '#server/http/mount.ts'
import { answerOf, orderNotFound, problem } from '#server/http/problem.ts'
import { isSignedByStaff, signatureFromQuery, signUrl, type UrlSignature } from '#server/http/sign-url.ts'
import { grantedOrderOf, type OrderParams } from '../store/granted-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'
import { readReceipt } from './read-receipt.ts'
import { findRefund, writeCreditNote } from './write-credit-note.ts'
import { writeReceipt } from './write-receipt.ts'

const receiptName = 'receipt.pdf'

/** A document of an order, by its file name in URLs. */
type DocumentKey = OrderKey & { readonly documentName: string }

const toPdfFile = (name: string, bytes: Buffer): FileResponse => fileInMemory(name, 'application/pdf', bytes)

const openDocument = async (deps: Deps, { documentName, ...key }: DocumentKey): Promise<FileResponse | undefined> => {
  const [, creditNoteNumber] = /^(CN-\d{4}-\d{6,10})\.pdf$/.exec(documentName) ?? []
  if (documentName !== receiptName && creditNoteNumber === undefined) return undefined
  const receipt = await readReceipt(deps, key)
  if (!receipt) return undefined
  if (creditNoteNumber === undefined)
    return toPdfFile(`receipt-${receipt.order.orderNumber}.pdf`, await writeReceipt(receipt))
  const refund = findRefund(receipt, creditNoteNumber)
  return refund && toPdfFile(`${creditNoteNumber}.pdf`, await writeCreditNote(receipt, refund))
}

const sendDocument = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  key: DocumentKey | undefined,
): Promise<FastifyReply> => {
  const file = key && (await openDocument(deps, key))
  if (!file) return sendAnswer(reply, answerOf(problem('not-found')))
  return await sendFile(request, reply, { file, part: requestedRange(request, file) })
}

const signedName = ({ studioId, orderId, documentName }: DocumentKey): string =>
  `order-document:${studioId}:${orderId}:${documentName}`

const SignedParams = object({ studioId: Id, orderId: Id, documentName: string() })

/** The document of a signed URL, if the signature is valid and its user is still staff of the studio. */
const readSignedKey = async (
  deps: Deps,
  params: unknown,
  signature: UrlSignature,
): Promise<DocumentKey | undefined> => {
  const [, key] = validate(params, SignedParams, { coerce: true })
  if (!key) return undefined
  const isAllowed = await isSignedByStaff(deps, { text: signedName(key), studioId: key.studioId }, signature)
  return isAllowed ? key : undefined
}

/**
 * Mounts the documents of orders, as PDF files: for sessions that have a grant for the order, and for staff at signed
 * URLs.
 */
export const mountOrderDocuments = (app: FastifyInstance, deps: Deps): void => {
  app.get<{ Params: OrderParams & { documentName: string } }>(
    '/api/customer/jobs/:jobId/orders/:orderId/documents/:documentName',
    async (request, reply) => {
      const { documentName, ...params } = request.params
      const granted = await grantedOrderOf(deps, request, params)
      return await sendDocument(deps, request, reply, granted && { ...granted.orderRef, documentName })
    },
  )
  mount(app, deps, getOrderDocument, async ({ params, user }) => {
    const { studioId, jobId, orderNumber, documentName } = params
    const row = await deps.db
      .selectFrom('orders')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('order_number', '=', normaliseOrderNumber(orderNumber) ?? '')
      .executeTakeFirst()
    if (!row) return orderNotFound()
    const signature = signUrl({ ...deps, user }, signedName({ studioId, orderId: row.id, documentName }))
    return { url: `/api/order-documents/${studioId}/${row.id}/${encodeURIComponent(documentName)}?${signature}` }
  })
  app.get<{ Querystring: Partial<UrlSignature> }>(
    '/api/order-documents/:studioId/:orderId/:documentName',
    { config: signedRoute.config },
    async (request, reply) => {
      const key = await readSignedKey(deps, request.params, signatureFromQuery(request.query))
      return await sendDocument(deps, request, reply, key)
    },
  )
}
