import type { FastifyInstance } from 'fastify'
import type { Order } from '#contract/customer/checkout-calls.ts'
import type { CartOrderService } from '#domain/cart/cart.ts'
import { hashPassword } from '#server/access/sign-in/hash-password.ts'
import type { Deps } from '#server/deps.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { signToken } from '#support/server/sign-token.ts'
import { imageNode, packageItem } from '../../../domain/cart/cart-fixtures.ts'
import { add, type CartFixtures, completeLineContent, newUuid, onePrint } from '../../carts/cart-fixtures.ts'
import { person, seedOrderServices, setService } from '../../carts/order-service-fixtures.ts'
import { addFeature } from '../../discovery/job-fixtures.ts'
import { entryForm } from '../../orders/entry/entry-form-fixtures.ts'
import { details, readyToPay } from '../../payments/checkout-driver.ts'

const passwordHash = hashPassword('the studio’s own')

/** A print, its image as a file, and all images of the subject. */
const withFiles = () => {
  const made = onePrint(25)
  const single = { name: 'File', productCode: 'SingleDigDown', imageNodes: [imageNode({ id: 9002 })], textNodes: [] }
  const all = { name: 'Files', productCode: 'WholeDigDown', imageNodes: [], textNodes: [] }
  return { ...made, items: [...made.items, packageItem({ id: 9001, ...single }), packageItem({ id: 9003, ...all })] }
}

const addStaff = async ({ db }: Deps, { studioId, slug }: CartFixtures): Promise<{ userId: number; email: string }> => {
  const email = `owner@${slug}.test`
  const user = { email, name: 'Owner', role: 'owner' as const, studio_id: studioId, password_hash: await passwordHash }
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return { userId: id, email }
}

/** Another user of the studio, their accepted invitation, and one that is still open. */
const addColleague = async ({ db, clock }: Deps, { studioId, slug }: CartFixtures) => {
  const colleague = { email: `colleague@${slug}.test`, name: 'Colleague', role: 'staff' as const, studio_id: studioId }
  const { id: colleagueId } = await db.insertInto('users').values(colleague).returning('id').executeTakeFirstOrThrow()
  const letter = {
    ...colleague,
    created_at: clock(),
    expires_at: new Date(clock().getTime() + 7 * 24 * 60 * 60 * 1000),
  }
  const letters = [
    { ...letter, token_hash: 'accepted', accepted_at: clock() },
    { ...letter, email: `invited@${slug}.test`, token_hash: 'open', accepted_at: null },
  ]
  const made = await db.insertInto('invitations').values(letters).returning('id').execute()
  const [acceptedInvitationId = 0, invitationId = 0] = made.map(({ id }) => id)
  return { colleagueId, acceptedInvitationId, invitationId }
}

/** Customers who were granted access by codes of the studio. */
const addCodes = async ({ db }: Deps, { studioId, jobId, adaId, slug }: CartFixtures): Promise<void> => {
  await db.insertInto('studio_slugs').values({ slug, studio_id: studioId }).execute()
  const codes = [
    { code: 'SPRING', subject_id: null },
    { code: 'ADALVL', subject_id: adaId },
  ]
  await db
    .insertInto('access_codes')
    .values(codes.map((one) => ({ ...one, studio_id: studioId, job_id: jobId })))
    .execute()
}

/** An uploaded list of subjects that was previewed and not imported. */
const sendList = async (deps: Deps, { studioId, jobId }: { studioId: number; jobId: number }): Promise<number> => {
  for (const feature of ['dataImport', 'workflows', 'rspoJob']) await addFeature(deps, studioId, feature)
  const person = { firstName: 'Grace', lastName: 'Hopper', reference: null, code: null, groups: [], fields: [] }
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
    person: JSON.stringify(person),
  }
  await deps.db.insertInto('import_rows').values(row).execute()
  return id
}

/** An organization without a contact, and an archived one with the studio's job. */
const addOrganizations = async ({ db }: Deps, { studioId, jobId }: CartFixtures) => {
  const named = { studio_id: studioId, type: 'school' as const }
  const add = (values: typeof named & { name: string; archived_at?: string }) =>
    db.insertInto('organizations').values(values).returning('id').executeTakeFirstOrThrow()
  const { id: organizationId } = await add({ ...named, name: 'Lincoln Elementary' })
  const { id: archivedId } = await add({ ...named, name: 'Old Mill School', archived_at: '2027-01-01T00:00:00Z' })
  await db.updateTable('jobs').set({ organization_id: archivedId }).where('id', '=', jobId).execute()
  const address = JSON.stringify({ address1: '9 School Street', city: 'Dayton' })
  const contact = { studio_id: studioId, organization_id: archivedId, first_name: 'Grace', address }
  await db.insertInto('organization_contacts').values(contact).execute()
  return { organizationId, archivedId }
}

/** A group of the job with Ada in it, and a bulk edit that can be undone. */
const keepPeople = async ({ db, clock }: Deps, { studioId, jobId, adaId }: CartFixtures, userId: number) => {
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

/** A product, an archived package set that a former job still offers, and a background. */
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
  return { oldSetId, greenScreenId, productCode: '8x10' }
}

type Till = Awaited<ReturnType<typeof readyToPay>>['till']

/** Adds a package to the cart and pays for it; returns the order's number. */
const buy = async (
  till: Till,
  { told, orderMethod = 'gallery' }: { told: readonly object[]; orderMethod?: string },
) => {
  await till.sync(told, orderMethod)
  const checkoutId = newUuid()
  await till.ask('POST', 'checkout', { body: { ...details(), orderMethod, checkoutId } })
  const { totalCents, cartVersion } = (await till.ask('GET', `checkout/totals?orderMethod=${orderMethod}`)).data
  const body = { orderMethod, checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
  const { data } = await till.ask('POST', 'checkout/submit', { body })
  return data.orderNumber as string
}

/** Creates data of every kind for a customer and their studio, and returns its ids with the checkout driver. */
export const createOtherTenantFixtures = async (deps: Deps, app: FastifyInstance) => {
  const ready = await readyToPay(deps, app, withFiles())
  const { shop, parent, till, made, paying } = ready
  const { studioId, jobId, adaId, adaImageId } = shop
  await addCodes(deps, shop)
  await addFeature(deps, studioId, 'promotions')
  const promotion = { studio_id: studioId, code: 'SAVE10', kind: 'percent' as const, basis_points: 1000 }
  await deps.db.insertInto('promotions').values(promotion).execute()
  const services = await seedOrderServices(deps, shop)
  const { userId, email } = await addStaff(deps, shop)
  const colleague = await addColleague(deps, shop)
  const organizations = await addOrganizations(deps, shop)
  const catalogue = await addCatalogue(deps, shop, made.id)
  const tell = async (url: string, payload: object) => {
    const user = { id: userId, name: 'Owner', email, permissions: ownerPermissions, studioId }
    const { token } = await signToken(deps, user)
    const path = url.startsWith('../') ? url.slice('../'.length) : `orders/${url}`
    const at = `/api/studioadmin/studios/${studioId}/jobs/${jobId}/${path}`
    return (
      await app.inject({ method: 'POST', url: at, headers: { authorization: `Bearer ${token}` }, payload })
    ).json()
  }

  // An order with files, partly refunded.
  const orderNumber: string = (await till.submit(paying())).data.orderNumber
  await tell(`${orderNumber}/refunds`, { amountCents: 100, reason: 'A bent print' })
  const order: Order = await till.order(orderNumber)
  const linkOf = (kind: 'single' | 'all') => order.downloads?.find((one) => one.kind === kind)?.linkId ?? ''
  // An order that is at the lab.
  const line = () => add(made, adaId, completeLineContent(made, adaImageId))
  const submitted = await buy(till, { told: [line()] })
  const packet = await tell('submit', { orderNumbers: [submitted] })
  const placed = await buy(till, { told: [line()] })
  await deps.db.updateTable('studios').set({ has_rspo_jobs: true }).execute()
  const batch = { studio_id: studioId, job_id: jobId, name: 'Batch 1' }
  const { id: batchId } = await deps.db.insertInto('batches').values(batch).returning('id').executeTakeFirstOrThrow()
  // A prepay order for a typed-in subject.
  const personId = newUuid()
  const { textNodes } = completeLineContent(made, 0)
  const early = { ...add(made, 1, { textNodes }), subjectId: null, personId }
  const awaited = await buy(till, { told: [person(personId, 'Bo'), early], orderMethod: 'prepay' })
  const bo = deps.db.selectFrom('subjects').select('id').where('person_id', '=', personId)
  const boImageId = await shop.giveImage({ subjectId: (await bo.executeTakeFirstOrThrow()).id })
  const poses = await till.ask('GET', `orders/${awaited}/poses`)
  const file = { upload_key: 'f'.repeat(32), purpose: 'image' as const, file_name: 'theirs.jpg', byte_size: 10 }
  const { id: uploadId } = await deps.db
    .insertInto('uploads')
    .values({ studio_id: studioId, job_id: jobId, ...file })
    .returning('id')
    .executeTakeFirstOrThrow()
  // An open cart whose first card was declined, and one whose payment awaits the bank.
  await till.sync([line(), setService(services.basic, adaId)])
  const checkoutId = newUuid()
  const attemptId = newUuid()
  await till.keep(checkoutId)
  await till.ask('POST', 'checkout/promo', { body: { code: 'SAVE10', orderMethod: 'gallery', checkoutId } })
  const now = (await till.totals()).totalCents
  await till.submit({ checkoutId, attemptId, paymentToken: 'test_declined', totalCents: now })
  await till.sync([{ ...early, id: newUuid(), lineId: newUuid() }], 'prepay')
  const asked = { checkoutId: newUuid(), attemptId: newUuid() }
  await till.ask('POST', 'checkout', { body: { ...details(), orderMethod: 'prepay', checkoutId: asked.checkoutId } })
  const { totalCents: due, cartVersion } = (await till.ask('GET', 'checkout/totals?orderMethod=prepay')).data
  const asking = { orderMethod: 'prepay', ...asked, paymentToken: 'test_authenticate', totalCents: due, cartVersion }
  await till.ask('POST', 'checkout/submit', { body: asking })
  await addFeature(deps, studioId, 'orderEntry')
  const onPaper = entryForm({ made, subjectId: adaId, imageId: adaImageId })
  const priced = await tell('../entry/totals', onPaper)
  const entryKey = newUuid()
  const money = { method: 'cash', receivedCents: priced.data.totals.totalCents, checkNumber: '' }
  const entering = { entryKey, draft: onPaper, totalCents: priced.data.totals.totalCents, payment: money }
  const entered = await tell('../entry/orders', entering)
  const checkIn = {
    studio_id: studioId,
    job_id: jobId,
    subject_id: adaId,
    check_in_key: newUuid(),
    checked_in_at: deps.clock(),
  }
  await deps.db.insertInto('check_ins').values(checkIn).execute()
  const handOver = (await till.ask('POST', 'hand-over', { body: { orderMethod: 'gallery' } })).data

  const people = await keepPeople(deps, shop, userId)
  const importId = await sendList(deps, { studioId, jobId })

  const cart = await till.cart()
  const [held] = cart.cartPackages
  const [item] = held?.cartPackageItems ?? []
  const retouch: CartOrderService | undefined = cart.cartOrderServicesDetails.retouches[0]
  return {
    userId,
    email,
    ...colleague,
    studioId,
    jobId,
    slug: shop.slug,
    ...people,
    adaId,
    adaImageId,
    packageId: made.id,
    nodeId: made.items[0]?.imageNodes[0]?.id ?? 0,
    serviceId: services.basic,
    personalId: services.personal,
    orderNumber,
    orderEmail: details().customer.email,
    singleLink: linkOf('single'),
    allLink: linkOf('all'),
    submittedNumber: submitted,
    packetId: packet.data.id as number,
    placedNumber: placed,
    batchId,
    importId,
    uploadId,
    awaitedNumber: awaited,
    boImageId,
    awaitedLineId: poses.data.lines[0].id as number,
    personId,
    cartId: cart.id ?? 0,
    lineId: held?.lineId ?? '',
    cartPackageId: held?.id ?? 0,
    textNodeId: item?.textNodes[0]?.id ?? 0,
    imageNodeId: item?.imageNodes[0]?.id ?? 0,
    cartServiceId: retouch?.id ?? 0,
    checkoutId,
    attemptId,
    asked: { ...asked, totalCents: due, cartVersion },
    markKey: checkIn.check_in_key,
    entering,
    enteredNumber: entered.data.orderNumber as string,
    handOver: handOver as { id: string; address: string },
    thumbnail: order.lines[0]?.imageThumbnailUrl ?? '',
    visit: parent,
    ...organizations,
    setId: shop.setId,
    ...catalogue,
  }
}

export const ownerPermissions = ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const

export type OtherTenantFixtures = Awaited<ReturnType<typeof createOtherTenantFixtures>>
