import { addDays } from 'date-fns/addDays'
import type { FastifyInstance } from 'fastify'
import type { Order } from '#contract/customer/order-calls.ts'
import type { CartOrderService } from '#domain/cart/cart.ts'
import { hashPassword } from '#server/access/credentials/verify-password.ts'
import type { Deps } from '#server/deps.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { imageNode, packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import {
  addLine,
  type CartFixtures,
  completeLineContent,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { seedOrderServices, setService, setTypedSubject } from '#tests/server/carts/order-service-fixtures.ts'
import { exportSettings } from '#tests/server/image-exports/export-settings.ts'
import { entryForm } from '#tests/server/orders/entry/entry-form-fixtures.ts'
import { details, readyToPay } from '#tests/server/payments/checkout-driver.ts'

const passwordHash = hashPassword('the owner’s password')

/** A package of a print, its image as a file, and all images of the subject as files. */
const packageWithFiles = () => {
  const offeredPackage = onePrint(25)
  const single = { name: 'File', productCode: 'SingleDigDown', imageNodes: [imageNode({ id: 9002 })], textNodes: [] }
  const allFiles = { name: 'Files', productCode: 'WholeDigDown', imageNodes: [], textNodes: [] }
  return {
    ...offeredPackage,
    items: [...offeredPackage.items, packageItem({ id: 9001, ...single }), packageItem({ id: 9003, ...allFiles })],
  }
}

const addOwner = async (deps: Deps, { studioId, slug }: CartFixtures): Promise<{ userId: number; email: string }> => {
  const user = { email: `owner@${slug}.test`, name: 'Owner', role: 'owner', password_hash: await passwordHash } as const
  const { id, email } = await given(deps).user(studioId, user)
  return { userId: id, email }
}

/** Adds another user of the studio, their accepted invitation, and an open invitation. */
const addColleague = async ({ db, clock }: Deps, { studioId, slug }: CartFixtures) => {
  const colleague = { email: `colleague@${slug}.test`, name: 'Colleague', role: 'staff' as const, studio_id: studioId }
  const { id: colleagueId } = await given({ db }).user(studioId, colleague)
  const invitation = {
    ...colleague,
    created_at: clock(),
    expires_at: new Date(clock().getTime() + 7 * 24 * 60 * 60 * 1000),
  }
  const invitationRows = [
    { ...invitation, token_hash: 'accepted', accepted_at: clock() },
    { ...invitation, email: `invited@${slug}.test`, token_hash: 'open', accepted_at: null },
  ]
  const invitations = await db.insertInto('invitations').values(invitationRows).returning('id').execute()
  const [acceptedInvitationId = 0, invitationId = 0] = invitations.map(({ id }) => id)
  return { colleagueId, acceptedInvitationId, invitationId }
}

/** Adds access codes for the job and for Ada. */
const addCodes = async (deps: Deps, fixtures: CartFixtures): Promise<void> => {
  await given(deps).code(fixtures, 'SPRING')
  await given(deps).code(fixtures, 'ADALVL', fixtures.adaId)
}

/** Adds features that calls with ids require, and an uploaded list of subjects that was previewed and not imported. */
const addImport = async (deps: Deps, { studioId, jobId }: { studioId: number; jobId: number }): Promise<number> => {
  for (const feature of ['dataImport', 'workflows', 'rspoJob', 'reports']) await given(deps).feature(studioId, feature)
  const subject = { firstName: 'Grace', lastName: 'Hopper', reference: null, code: null, groups: [], fields: [] }
  const columns = [{ index: 0, heading: 'Name', isNamed: true, samples: ['Grace Hopper'] }]
  const fileKey = `studios/${studioId}/imports/list`
  await deps.files.put(fileKey, Buffer.from('Name\nGrace Hopper\n'))
  const { id } = await deps.db
    .insertInto('imports')
    .values({
      ...{ studio_id: studioId, job_id: jobId, file_name: 'list.csv', file_key: fileKey, rows_total: 1 },
      layout: JSON.stringify({ sheets: [], headerRow: 1, columns }),
      mapping: JSON.stringify([{ column: 0, target: 'fullName', field: null }]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = {
    studio_id: studioId,
    import_id: id,
    row_number: 2,
    state: 'create' as const,
    details: JSON.stringify(subject),
  }
  await deps.db.insertInto('import_rows').values(row).execute()
  return id
}

/** Adds an organization without a contact, and an archived one with the studio's job. */
const addOrganizations = async ({ db }: Deps, { studioId, jobId }: CartFixtures) => {
  const organization = { studio_id: studioId, type: 'school' as const }
  const add = (values: typeof organization & { name: string; archived_at?: string }) =>
    db.insertInto('organizations').values(values).returning('id').executeTakeFirstOrThrow()
  const { id: organizationId } = await add({ ...organization, name: 'Lincoln Elementary' })
  const { id: archivedId } = await add({
    ...organization,
    name: 'Old Mill School',
    archived_at: '2027-01-01T00:00:00Z',
  })
  await db.updateTable('jobs').set({ organization_id: archivedId }).where('id', '=', jobId).execute()
  const address = JSON.stringify({ address1: '9 School Street', city: 'Dayton' })
  const contact = { studio_id: studioId, organization_id: archivedId, first_name: 'Grace', address }
  await db.insertInto('organization_contacts').values(contact).execute()
  return { organizationId, archivedId }
}

/** Adds a group of the job with Ada in it, and a bulk edit that can be undone. */
const addGroupAndEdit = async ({ db, clock }: Deps, { studioId, jobId, adaId }: CartFixtures, userId: number) => {
  const group = { studio_id: studioId, job_id: jobId, name: 'Grade 3' }
  const { id: groupId } = await db.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('subject_groups').values({ studio_id: studioId, subject_id: adaId, group_id: groupId }).execute()
  const edit = { studio_id: studioId, job_id: jobId, does: 'groups' as const, made_by: userId, made_at: clock() }
  const { id: editId } = await db.insertInto('subject_edits').values(edit).returning('id').executeTakeFirstOrThrow()
  const row = { subject_id: adaId, version_before: 0, version_after: 1, before: '{}' }
  await db
    .insertInto('subject_edit_rows')
    .values({ studio_id: studioId, edit_id: editId, ...row })
    .execute()
  return { groupId, editId }
}

/**
 * Adds a product and a workflow of the platform, an archived package set that a former job still offers, an add-on for the package, and a background,
 * for which the studio is verified.
 */
const addCatalogue = async ({ db }: Deps, { studioId, jobId, offer }: CartFixtures, packageId: number) => {
  const studio_id = studioId
  const [{ id: oldSetId }, { id: imageId }] = [
    await db
      .insertInto('package_sets')
      .values({ studio_id, name: 'Last year', archived_at: new Date('2026-01-01T00:00:00Z') })
      .returning('id')
      .executeTakeFirstOrThrow(),
    await db
      .insertInto('image_lookups')
      .values({
        ...readyImage,
        studio_id,
        job_id: jobId,
        kind: 'green-screen-background',
        file_name: 'a.jpg',
        original_key: 'b',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  ]
  await db.insertInto('jobs').values({ studio_id, name: 'Last spring', package_set_id: oldSetId }).execute()
  await db
    .insertInto('products')
    .values({ code: '8x10', name: '8×10 print', width_inches: 8, height_inches: 10 })
    .execute()
  await offer(onePrint(5, { type: 'addon_standard', requiresStandard: true, packageId }))
  await db.updateTable('studios').set({ is_millers_verified: true }).where('id', '=', studioId).execute()
  const { id: greenScreenId } = await db
    .insertInto('green_screens')
    .values({ studio_id, job_id: jobId, image_id: imageId, name: 'Sky' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: workflowId } = await db
    .insertInto('workflows')
    .values({ name: 'School pictures' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: taxRateId } = await db
    .insertInto('tax_rates')
    .values({ region: 'WY', rate_millionths: 40_000 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: featureId } = await db
    .insertInto('features')
    .values({ identifier: 'albums', name: 'Albums' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: mailId } = await db
    .insertInto('mail_log')
    .values({ kind: 'receipt', to_email: 'parent@example.com', subject: 'Your order', body_text: 'Thank you' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: shippingOptionId } = await db
    .insertInto('shipping_options')
    .values({ code: 'courier', label: 'Courier', price_cents: 2000 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: orderServiceId } = await db
    .insertInto('order_services')
    .values({ kind: 'service', name: 'Frame', price_cents: 2000 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: watermarkId } = await db
    .insertInto('watermarks')
    .values({ name: 'Old proof', kind: 'text', text: 'Proof' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [product, tag] = [{ code: '11x14', name: '11×14 print' }, { name: 'Sports' }]
  const { id: productId } = await db.insertInto('products').values(product).returning('id').executeTakeFirstOrThrow()
  const { id: tagId } = await db.insertInto('tags').values(tag).returning('id').executeTakeFirstOrThrow()
  const { id: definedFieldId } = await db
    .insertInto('defined_fields')
    .values({ name: 'Club', label: 'Club' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    definedFieldId,
    watermarkId,
    orderServiceId,
    productId,
    tagId,
    oldSetId,
    featureId,
    greenScreenId,
    productCode: '8x10',
    workflowId,
    taxRateId,
    shippingOptionId,
    mailId,
  }
}

/** Adds a coupon code, a promotion of the job, and a coupon code that was used and has ended. */
const addPromotions = async ({ db }: Deps, { studioId, jobId }: CartFixtures) => {
  const add = (values: { code: string; job_id?: number; ends_at?: string }) =>
    db
      .insertInto('promotions')
      .values({ studio_id: studioId, kind: 'percent', basis_points: 1000, ...values })
      .returning('id')
      .executeTakeFirstOrThrow()
  await add({ code: 'SAVE10' })
  const { id: jobPromotionId } = await add({ code: 'JOB10', job_id: jobId })
  const { id: endedPromotionId } = await add({ code: 'OLD10', ends_at: '2026-01-01T00:00:00Z' })
  await db
    .insertInto('promotion_uses')
    .values({
      ...{ studio_id: studioId, promotion_id: endedPromotionId, checkout_id: newUuid() },
      ...{ email_key: '', amount_cents: 100, state: 'released' },
    })
    .execute()
  return { jobPromotionId, endedPromotionId }
}

/** Adds a payout of the studio's payments. */
const addPayout = async ({ db, clock }: Deps, { studioId }: CartFixtures) => {
  const account = { studio_id: studioId, provider: 'test', account: `studio-${studioId}` }
  const { id: payoutId } = await db
    .insertInto('payouts')
    .values({
      ...{ ...account, reference: 'test_payout', state: 'paid', amount_cents: 2000, arrives_on: '2027-04-14' },
      ...{ created_at: clock(), has_entries: true, is_itemized: true },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entry = { ...account, reference: 'test_txn', kind: 'charge' as const, amount_cents: 2000, source: null }
  await db
    .insertInto('account_entries')
    .values({ ...entry, payout_id: payoutId, created_at: clock() })
    .execute()
  const difference = { ...account, reference: 'test_unknown', reason: 'unknownCharge' as const, order_id: null }
  await db
    .insertInto('payment_differences')
    .values({ ...difference, our_cents: 0, provider_cents: 2000, found_at: clock(), resolved_at: null })
    .execute()
  return { payoutId }
}

type CheckoutDriver = Awaited<ReturnType<typeof readyToPay>>['driver']

/** Applies the mutations to a cart and pays for it; returns the order's number. */
const buy = async (
  driver: CheckoutDriver,
  { mutations, orderMethod = 'gallery' }: { mutations: readonly object[]; orderMethod?: string },
) => {
  await driver.sync(mutations, orderMethod)
  const checkoutId = newUuid()
  await driver.request('POST', 'checkout', { body: { ...details(), orderMethod, checkoutId } })
  const { totalCents, cartVersion } = (await driver.request('GET', `checkout/totals?orderMethod=${orderMethod}`)).data
  const body = { orderMethod, checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
  const { data } = await driver.request('POST', 'checkout/submit', { body })
  return data.orderNumber as string
}

/** Creates data of every kind for a customer and their studio, and returns its ids and the customer's session. */
export const createOtherTenantFixtures = async (deps: Deps, app: FastifyInstance) => {
  const checkout = await readyToPay(deps, app, packageWithFiles())
  const { fixtures, session, driver, offeredPackage, submitBody } = checkout
  const { studioId, jobId, adaId, adaImageId } = fixtures
  await addCodes(deps, fixtures)
  await given(deps).feature(studioId, 'promotions')
  const promotions = await addPromotions(deps, fixtures)
  const services = await seedOrderServices(deps, fixtures)
  const { userId, email } = await addOwner(deps, fixtures)
  const colleague = await addColleague(deps, fixtures)
  const organizations = await addOrganizations(deps, fixtures)
  const catalogue = await addCatalogue(deps, fixtures, offeredPackage.id)
  const staffRequest = async (url: string, payload: object) => {
    const user = { id: userId, name: 'Owner', email, permissions: ownerPermissions, studioId }
    const { token } = await signToken(deps, user)
    const subpath = url.startsWith('../') ? url.slice('../'.length) : `orders/${url}`
    const path = `/api/studioadmin/studios/${studioId}/jobs/${jobId}/${subpath}`
    return (
      await app.inject({ method: 'POST', url: path, headers: { authorization: `Bearer ${token}` }, payload })
    ).json()
  }

  // An order with files, partly refunded.
  const orderNumber: string = (await driver.submit(submitBody())).data.orderNumber
  await staffRequest(`${orderNumber}/refunds`, { amountCents: 100, reason: 'A bent print' })
  const order: Order = await driver.order(orderNumber)
  const linkIdOf = (kind: 'single' | 'all') => order.downloads?.find((download) => download.kind === kind)?.linkId ?? ''
  // An order that is at the lab.
  const line = () => addLine(offeredPackage, adaId, completeLineContent(offeredPackage, adaImageId))
  const submitted = await buy(driver, { mutations: [line()] })
  const packet = await staffRequest('submit', { orderNumbers: [submitted] })
  const placed = await buy(driver, { mutations: [line()] })
  await deps.db.updateTable('studios').set({ has_rspo_jobs: true }).execute()
  const batch = { studio_id: studioId, job_id: jobId, name: 'Batch 1' }
  const { id: batchId } = await deps.db.insertInto('batches').values(batch).returning('id').executeTakeFirstOrThrow()
  // A prepay order for a typed-in subject.
  const personId = newUuid()
  const { textNodes } = completeLineContent(offeredPackage, 0)
  const prepaidLine = { ...addLine(offeredPackage, 1, { textNodes }), subjectId: null, personId }
  const prepaidNumber = await buy(driver, {
    mutations: [setTypedSubject(personId, 'Bo'), prepaidLine],
    orderMethod: 'prepay',
  })
  const bo = deps.db.selectFrom('subjects').select('id').where('person_id', '=', personId)
  const boImageId = await fixtures.addImage({ subjectId: (await bo.executeTakeFirstOrThrow()).id })
  const imageChoice = await driver.request('GET', `orders/${prepaidNumber}/poses`)
  const file = { upload_key: 'f'.repeat(32), purpose: 'image' as const, file_name: 'other-tenant.jpg', byte_size: 10 }
  const { id: uploadId } = await deps.db
    .insertInto('uploads')
    .values({ studio_id: studioId, job_id: jobId, ...file })
    .returning('id')
    .executeTakeFirstOrThrow()
  // A cart whose first card was declined, and a cart whose payment awaits authentication by the bank.
  await driver.sync([line(), setService(services.basic, adaId)])
  const checkoutId = newUuid()
  const attemptId = newUuid()
  await driver.saveDetails(checkoutId)
  await driver.request('POST', 'checkout/promo', { body: { code: 'SAVE10', orderMethod: 'gallery', checkoutId } })
  const discountedCents = (await driver.totals()).totalCents
  await driver.submit({ checkoutId, attemptId, paymentToken: 'test_declined', totalCents: discountedCents })
  await driver.sync([{ ...prepaidLine, id: newUuid(), lineId: newUuid() }], 'prepay')
  const pendingAttempt = { checkoutId: newUuid(), attemptId: newUuid() }
  await driver.request('POST', 'checkout', {
    body: { ...details(), orderMethod: 'prepay', checkoutId: pendingAttempt.checkoutId },
  })
  const { totalCents: pendingTotalCents, cartVersion } = (
    await driver.request('GET', 'checkout/totals?orderMethod=prepay')
  ).data
  const pendingSubmit = {
    orderMethod: 'prepay',
    ...pendingAttempt,
    paymentToken: 'test_authenticate',
    totalCents: pendingTotalCents,
    cartVersion,
  }
  await driver.request('POST', 'checkout/submit', { body: pendingSubmit })
  await given(deps).feature(studioId, 'orderEntry')
  const entryDraft = entryForm({ offeredPackage, subjectId: adaId, imageId: adaImageId })
  const entryQuote = await staffRequest('../entry/totals', entryDraft)
  const entryKey = newUuid()
  const entryPayment = { method: 'cash', receivedCents: entryQuote.data.totals.totalCents, checkNumber: '' }
  const entryBody = {
    entryKey,
    draft: entryDraft,
    totalCents: entryQuote.data.totals.totalCents,
    payment: entryPayment,
  }
  const enteredOrder = await staffRequest('../entry/orders', entryBody)
  const checkIn = {
    studio_id: studioId,
    job_id: jobId,
    subject_id: adaId,
    check_in_key: newUuid(),
    checked_in_at: deps.clock(),
  }
  await deps.db.insertInto('check_ins').values(checkIn).execute()
  const handOver = (await driver.request('POST', 'hand-over', { body: { orderMethod: 'gallery' } })).data
  const { data: created } = await driver.request('POST', `subjects/${adaId}/shares`, {
    body: { imageIds: [adaImageId] },
  })

  const groupAndEdit = await addGroupAndEdit(deps, fixtures, userId)
  const importId = await addImport(deps, { studioId, jobId })
  const { data: imageExport } = await staffRequest('../image-exports', exportSettings)
  const ready = { state: 'ready', files_total: 1, expires_at: addDays(deps.clock(), 7) } as const
  await deps.db.updateTable('image_exports').set(ready).where('id', '=', imageExport.id).execute()

  const savedReport = { studio_id: studioId, name: 'Monday', choices: '{}' }
  const { id: savedReportId } = await deps.db
    .insertInto('saved_reports')
    .values({ ...savedReport, schedule: null, recipient_id: null, next_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()

  const webhookDates = { created_at: deps.clock(), updated_at: deps.clock(), secret_rotated_at: deps.clock() }
  const { id: webhookId } = await deps.db
    .insertInto('webhooks')
    .values({ studio_id: studioId, url: 'https://hooks.test', events: '["order.placed"]', ...webhookDates })
    .returning('id')
    .executeTakeFirstOrThrow()
  const event = { studio_id: studioId, event_key: newUuid(), event: 'order.placed', body: '{}' }
  const { id: eventId } = await deps.db
    .insertInto('webhook_events')
    .values({ ...event, created_at: deps.clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: deliveryId } = await deps.db
    .insertInto('webhook_deliveries')
    .values({
      ...{ studio_id: studioId, webhook_id: webhookId, event_id: eventId },
      ...{ queued_at: deps.clock(), next_attempt_at: deps.clock() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Revoked, so that no caller of the same studio changes it.
  const apiToken = { studio_id: studioId, user_id: userId, name: 'Website', token_hash: 'a', hint: 'wxyz' }
  const { id: apiTokenId } = await deps.db
    .insertInto('api_tokens')
    .values({ ...apiToken, scopes: '["orders:read"]', expires_at: addDays(deps.clock(), 30), revoked_at: deps.clock() })
    .returning('id')
    .executeTakeFirstOrThrow()

  const reportFile = { studio_id: studioId, report: 'payments', request: '{}', file_name: 'Payments.csv' }
  const readyFile = { state: 'ready', file_key: 'reports/1/a.csv', byte_size: 5 } as const
  const moments = { created_at: deps.clock(), updated_at: deps.clock(), expires_at: addDays(deps.clock(), 7) }
  const { id: reportFileId } = await deps.db
    .insertInto('report_files')
    .values({ ...reportFile, ...readyFile, ...moments })
    .returning('id')
    .executeTakeFirstOrThrow()

  const cart = await driver.cart()
  const [firstLine] = cart.cartPackages
  const [item] = firstLine?.cartPackageItems ?? []
  const retouch: CartOrderService | undefined = cart.cartOrderServicesDetails.retouches[0]
  return {
    userId,
    email,
    ...colleague,
    studioId,
    jobId,
    slug: fixtures.slug,
    ...groupAndEdit,
    adaId,
    adaImageId,
    packageId: offeredPackage.id,
    nodeId: offeredPackage.items[0]?.imageNodes[0]?.id ?? 0,
    serviceId: services.basic,
    personalizationId: services.personal,
    orderNumber,
    orderEmail: details().customer.email,
    singleLink: linkIdOf('single'),
    allLink: linkIdOf('all'),
    submittedNumber: submitted,
    packetId: packet.data.id as number,
    ...(await addPayout(deps, fixtures)),
    exportId: imageExport.id as number,
    savedReportId,
    apiTokenId,
    webhookId,
    deliveryId,
    reportFileId,
    placedNumber: placed,
    batchId,
    importId,
    uploadId,
    prepaidNumber,
    boImageId,
    prepaidLineId: imageChoice.data.lines[0].id as number,
    personId,
    cartId: cart.id ?? 0,
    lineId: firstLine?.lineId ?? '',
    cartPackageId: firstLine?.id ?? 0,
    textNodeId: item?.textNodes[0]?.id ?? 0,
    imageNodeId: item?.imageNodes[0]?.id ?? 0,
    cartServiceId: retouch?.id ?? 0,
    checkoutId,
    attemptId,
    pendingAttempt: { ...pendingAttempt, totalCents: pendingTotalCents, cartVersion },
    checkInKey: checkIn.check_in_key,
    entryBody,
    enteredNumber: enteredOrder.data.orderNumber as string,
    shareId: created.share.id as number,
    handOver: handOver as { id: string; address: string },
    thumbnail: order.lines[0]?.imageThumbnailUrl ?? '',
    customer: session,
    ...organizations,
    ...promotions,
    setId: fixtures.setId,
    ...catalogue,
  }
}

export const ownerPermissions = ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const

export type OtherTenantFixtures = Awaited<ReturnType<typeof createOtherTenantFixtures>>
