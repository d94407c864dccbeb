import { describe, expect, it } from 'vitest'
import { newCustomisedPackage, toLineContent } from '#client/customer/packages/customiser/customised-package.ts'
import type { TextChoice } from '#domain/cart/cart.ts'
import type { TextNode } from '#domain/catalogue/catalogue.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { addLine, cartClient, createCartFixtures, newUuid, onePrint } from '../cart-fixtures.ts'
import { setTypedSubject } from '../order-service-fixtures.ts'

const textSources: [string | null, string | null, string][] = [
  ['name', null, ''],
  ['Cell', null, ''],
  ['Nickname', 'First Name', ''],
  ['Height', null, 'Your height'],
  [null, null, 'Class of 2027'],
  ['Grade', null, ''],
]
const texts = textSources.map(
  ([dataSource, altDataSource, value], index): TextNode =>
    textNode({ id: 901 + index, name: `Text ${index}`, dataSource, altDataSource, value }),
)

describe.each(enginesFor(import.meta.filename))('autofill of omitted texts on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const item = packageItem({ id: 900, imageNodes: [imageNode({ id: 899 })], textNodes: texts })
    const offeredPackage = await fixtures.offer({ ...onePrint(25), items: [item] })
    const client = cartClient(app, fixtures, await fixtures.enter())
    const addField = (name: string, value: string, overrides: { is_answer?: boolean } = {}) =>
      deps.db
        .insertInto('subject_fields')
        .values({ studio_id: fixtures.studioId, subject_id: fixtures.adaId, name, value, ...overrides })
        .execute()
    const post = async (overrides: object = {}): Promise<TextChoice[]> => {
      const body = { packageId: offeredPackage.id, subjectId: fixtures.adaId, orderMethod: 'gallery', ...overrides }
      const { status, data } = await client.request('POST', 'cartpackages', { body })
      if (status !== 200) throw new Error(`cartpackages answered ${status}`)
      return data.cartPackageItems[0].textNodes.map(({ id: _, ...text }: TextChoice & { id: number }) => text)
    }
    return { deps, fixtures, offeredPackage, client, addField, post }
  }
  const valuesOf = (filledTexts: readonly TextChoice[]) =>
    filledTexts.map(({ value, autoFilled }) => [value, autoFilled])

  it('omitted texts are filled in from the studio’s fields as the device does it', async () => {
    const { fixtures, offeredPackage, client, addField, post } = await setUp()
    await addField('Phone', '(937) 555-0142')
    await addField('first_name', 'Augusta')
    const filledTexts = await post()
    expect(valuesOf(filledTexts)).toEqual([
      ['Ada Lovelace', true],
      ['(937) 555-0142', true],
      ['Ada', true],
      ['Your height', false],
      ['Class of 2027', false],
      ['', false],
    ])
    const { data } = await client.request('GET', `subjects/${fixtures.adaId}`)
    const ada = { ...data, subjectId: data.id, personId: null, dataFields: null }
    const newLine = newCustomisedPackage(offeredPackage, {
      subject: ada,
      images: [],
      imageId: null,
      orderMethod: 'gallery',
      organizationType: 'school',
    })
    expect(filledTexts).toEqual(toLineContent(newLine).textNodes)
  })

  it('omitted texts are filled in from a typed-in subject’s answers', async () => {
    const { deps, fixtures, client, post } = await setUp()
    await fixtures.addJobField('Grade')
    const dataFields = [{ subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: null }]
    await client.sync([setTypedSubject(newUuid(), 'Bo', { dataFields })], 'prepay')
    const { id } = await deps.db
      .selectFrom('subjects')
      .select('id')
      .where('person_id', 'is not', null)
      .executeTakeFirstOrThrow()
    const filledTexts = await post({ subjectId: id, orderMethod: 'prepay' })
    expect(valuesOf(filledTexts)).toEqual([
      ['Bo Ek', true],
      ['', false],
      ['Bo', true],
      ['Your height', false],
      ['Class of 2027', false],
      ['3', true],
    ])
  })

  it('sent texts are stored unchanged, including empty ones, and the server decides itself whether a text counts as autofilled', async () => {
    const { post } = await setUp()
    const textChoice = (index: number, value: string, autoFilled: boolean) => ({
      packageItemTextNodeId: 901 + index,
      value,
      autoFilled,
    })
    const filledTexts = await post({
      textNodes: [textChoice(0, 'Countess', true), textChoice(2, '', true), textChoice(4, 'Onward', true)],
    })
    expect(valuesOf(filledTexts).filter((_, index) => [0, 2, 4].includes(index))).toEqual([
      ['Countess', false],
      ['', false],
      ['Onward', false],
    ])
    expect(valuesOf(await post({ textNodes: [textChoice(0, 'Ada Lovelace', false)] }))[0]).toEqual([
      'Ada Lovelace',
      true,
    ])
  })

  it('texts are not filled in from a family’s answers in a public gallery', async () => {
    const { deps, addField, post } = await setUp()
    await addField('Grade', '3', { is_answer: true })
    await addField('Phone', '(937) 555-0142')
    expect(valuesOf(await post())[5]).toEqual(['3', true])
    await deps.db.updateTable('jobs').set({ gallery_is_public: true }).execute()
    const filledTexts = valuesOf(await post())
    expect([filledTexts[1], filledTexts[5]]).toEqual([
      ['(937) 555-0142', true],
      ['', false],
    ])
  })

  it('omitted texts of a synced line are not filled in', async () => {
    const { fixtures, offeredPackage, client } = await setUp()
    const { cart } = await client.sync([addLine(offeredPackage, fixtures.adaId)])
    expect(valuesOf(cart.cartPackages[0]?.cartPackageItems[0]?.textNodes ?? [])[0]).toEqual(['', false])
  })
})
