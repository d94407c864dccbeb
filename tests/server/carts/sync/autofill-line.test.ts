import { describe, expect, it } from 'vitest'
import { newCustomisedPackage, toLineContent } from '#client/customer/packages/customiser/customised-package.ts'
import type { TextChoice } from '#domain/cart/cart.ts'
import type { TextNode } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '../../../domain/cart/cart-fixtures.ts'
import { add, cartClient, createCartFixtures, newUuid, onePrint } from '../cart-fixtures.ts'
import { person } from '../order-service-fixtures.ts'

const sourced: [string | null, string | null, string][] = [
  ['name', null, ''],
  ['Cell', null, ''],
  ['Nickname', 'First Name', ''],
  ['Height', null, 'Your height'],
  [null, null, 'Class of 2027'],
  ['Grade', null, ''],
]
const texts = sourced.map(
  ([dataSource, altDataSource, value], at): TextNode =>
    textNode({ id: 901 + at, name: `Text ${at}`, dataSource, altDataSource, value }),
)

describe.each(enginesFor(import.meta.filename))('autofill of omitted texts on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const item = packageItem({ id: 900, imageNodes: [imageNode({ id: 899 })], textNodes: texts })
    const made = await shop.offer({ ...onePrint(25), items: [item] })
    const phone = cartClient(app, shop, await shop.enter())
    const know = (name: string, value: string, own: { is_answer?: boolean } = {}) =>
      deps.db
        .insertInto('subject_fields')
        .values({ studio_id: shop.studioId, subject_id: shop.adaId, name, value, ...own })
        .execute()
    const post = async (own: object = {}): Promise<TextChoice[]> => {
      const body = { packageId: made.id, subjectId: shop.adaId, orderMethod: 'gallery', ...own }
      const { status, data } = await phone.ask('POST', 'cartpackages', { body })
      if (status !== 200) throw new Error(`cartpackages answered ${status}`)
      return data.cartPackageItems[0].textNodes.map(({ id: _, ...text }: TextChoice & { id: number }) => text)
    }
    return { deps, shop, made, phone, know, post }
  }
  const read = (filled: readonly TextChoice[]) => filled.map(({ value, autoFilled }) => [value, autoFilled])

  it('omitted texts are filled in from the studio’s fields, as on the device', async () => {
    const { shop, made, phone, know, post } = await begin()
    await know('Phone', '(937) 555-0142')
    await know('first_name', 'Augusta')
    const filled = await post()
    expect(read(filled)).toEqual([
      ['Ada Lovelace', true],
      ['(937) 555-0142', true],
      ['Ada', true],
      ['Your height', false],
      ['Class of 2027', false],
      ['', false],
    ])
    const { data } = await phone.ask('GET', `subjects/${shop.adaId}`)
    const ada = { ...data, subjectId: data.id, personId: null, dataFields: null }
    const started = newCustomisedPackage(made, {
      person: ada,
      images: [],
      imageId: null,
      orderMethod: 'gallery',
      organizationType: 'school',
    })
    expect(filled).toEqual(toLineContent(started).textNodes)
  })

  it('omitted texts are filled in from a typed-in subject’s answers', async () => {
    const { deps, shop, phone, post } = await begin()
    await shop.askFor('Grade')
    const dataFields = [{ subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }]
    await phone.sync([person(newUuid(), 'Bo', { dataFields })], 'prepay')
    const { id } = await deps.db
      .selectFrom('subjects')
      .select('id')
      .where('person_id', 'is not', null)
      .executeTakeFirstOrThrow()
    const filled = await post({ subjectId: id, orderMethod: 'prepay' })
    expect(read(filled)).toEqual([
      ['Bo Ek', true],
      ['', false],
      ['Bo', true],
      ['Your height', false],
      ['Class of 2027', false],
      ['3', true],
    ])
  })

  it('given texts stay, empty ones too, and a caller’s claim that they were autofilled is ignored', async () => {
    const { post } = await begin()
    const say = (at: number, value: string, autoFilled: boolean) => ({
      packageItemTextNodeId: 901 + at,
      value,
      autoFilled,
    })
    const filled = await post({ textNodes: [say(0, 'Countess', true), say(2, '', true), say(4, 'Onward', true)] })
    expect(read(filled).filter((_, at) => [0, 2, 4].includes(at))).toEqual([
      ['Countess', false],
      ['', false],
      ['Onward', false],
    ])
    expect(read(await post({ textNodes: [say(0, 'Ada Lovelace', false)] }))[0]).toEqual(['Ada Lovelace', true])
  })

  it('texts are not filled in from a family’s answers in a public gallery', async () => {
    const { deps, know, post } = await begin()
    await know('Grade', '3', { is_answer: true })
    await know('Phone', '(937) 555-0142')
    expect(read(await post())[5]).toEqual(['3', true])
    await deps.db.updateTable('jobs').set({ gallery_is_public: true }).execute()
    const filled = read(await post())
    expect([filled[1], filled[5]]).toEqual([
      ['(937) 555-0142', true],
      ['', false],
    ])
  })

  it('texts of a line from a device stay as the device sent them', async () => {
    const { shop, made, phone } = await begin()
    const { cart } = await phone.sync([add(made, shop.adaId)])
    expect(read(cart.cartPackages[0]?.cartPackageItems[0]?.textNodes ?? [])[0]).toEqual(['', false])
  })
})
