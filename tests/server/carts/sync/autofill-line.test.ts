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

describe.each(enginesFor(import.meta.filename))('texts that a call does not name on $name', (engine) => {
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

  it('are filled in from what the studio knows, as the device would have', async () => {
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

  it('are filled in from what was typed of a person', async () => {
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

  it('stay as they are named, the empty ones too, and nobody is believed that they were filled in', async () => {
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

  it('are not filled in from what a family answered where everybody sees everybody', async () => {
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

  it('stay as the device left them where it tells of a line', async () => {
    const { shop, made, phone } = await begin()
    const { cart } = await phone.sync([add(made, shop.adaId)])
    expect(read(cart.cartPackages[0]?.cartPackageItems[0]?.textNodes ?? [])[0]).toEqual(['', false])
  })
})
