import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyPackage } from '#client/customer/packages/customiser/copy-package.ts'
import { applyDraft, toCustomiseDraft } from '#client/customer/packages/customiser/customise-draft.ts'
import { customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import {
  type CustomisedPackage,
  customisedPackageFromLine,
  newCustomisedPackage,
  toLineContent,
} from '#client/customer/packages/customiser/customised-package.ts'
import type { PackageSubject } from '#client/customer/packages/package-subject.ts'
import type { CartPackage, TextChoice } from '#domain/cart/cart.ts'
import { enforceFixedTexts } from '#domain/cart/fixed-texts.ts'
import { autofillText } from '#domain/catalogue/autofill.ts'
import type { Package, TextNode } from '#domain/catalogue/catalogue.ts'
import { lineOf, packageItem, packageOf, textNode } from '../../../../domain/cart/cart-fixtures.ts'
import { ada, customiseContext } from '../package-examples.ts'

const nodesOf = ({ items }: Package): TextNode[] => items.flatMap((item) => item.textNodes)
const ofVersion = (version: number, textNodes: TextNode[]): Package =>
  packageOf({ version, items: [packageItem({ imageNodes: [], textNodes })] })

const person: fc.Arbitrary<PackageSubject> = fc
  .record({
    firstName: fc.constantFrom('Ada', 'Augusta', ''),
    email: fc.constantFrom('ada@engine.test', 'countess@engine.test', ''),
    phone: fc.constantFrom('(937) 555-0142', '555-010-2000', ''),
    grade: fc.constantFrom('3', '4', ''),
  })
  .map(({ firstName, ...fields }) => ({
    ...ada,
    firstName,
    fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
  }))

const node = (id: number): fc.Arbitrary<TextNode> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constantFrom('Line', 'Name'),
    editable: fc.boolean(),
    dataSource: fc.constantFrom(null, 'first name', 'email', 'Cell', 'grade'),
    altDataSource: fc.constantFrom(null, 'name'),
    value: fc.constantFrom('', 'Class of 2026', 'Class of 2027'),
    positionCoords: fc.constant(textNode().positionCoords),
  })
const nodes = fc.tuple(node(21), node(22), node(23), node(24))
const typing = fc.array(fc.record({ at: fc.nat(3), shown: fc.constantFrom('Go', 'Ada', '', 'ad***@engine.test') }), {
  maxLength: 4,
})
type Typing = { at: number; shown: string }[]

/** Types a text, if the screen allows it. */
const typed = (part: CustomisedPackage, what: Typing): CustomisedPackage =>
  what.reduce((before, { at, shown }) => {
    const node = nodesOf(before.package)[at]
    if (!node?.editable) return before
    return customiseReducer([before], { do: 'type', part: 0, nodeId: node.id, shown })[0] ?? before
  }, part)

/** A partly completed package, restored from its draft when the subject's data has changed. */
const takenUp = (part: CustomisedPackage, fresh: CustomisedPackage): CustomisedPackage =>
  applyDraft([fresh], toCustomiseDraft([part]), { images: [] })[0] ?? fresh

type Server = { made: Package; versions: readonly Package[]; lines: readonly CartPackage[]; subject: PackageSubject }

const taken = (
  part: CustomisedPackage,
  { made, versions, lines, subject }: Server,
  before?: CartPackage,
): TextChoice[] => {
  const standing = lines.flatMap((line) => line.cartPackageItems.flatMap((item) => item.textNodes))
  const texts = enforceFixedTexts(toLineContent(part).textNodes, {
    made,
    subject,
    before,
    isKnown: (nodeId, value) =>
      versions.some((one) =>
        nodesOf(one).some(({ id, editable, value: own }) => !editable && id === nodeId && own === value),
      ) || standing.some((one) => one.packageItemTextNodeId === nodeId && one.value === value),
  })
  if (!texts) throw new Error(`refused: ${JSON.stringify(toLineContent(part).textNodes)}`)
  return texts
}

const expectOwn = (texts: readonly TextChoice[], { made, subject }: Server, before?: CartPackage): void => {
  const standing = before?.cartPackageItems.flatMap((item) => item.textNodes) ?? []
  for (const one of nodesOf(made).filter(({ editable }) => !editable)) {
    const text = texts.find(({ packageItemTextNodeId }) => packageItemTextNodeId === one.id)
    const hadBackground = standing.filter(({ packageItemTextNodeId }) => packageItemTextNodeId === one.id)
    expect([one.value, autofillText(one, subject).value, ...hadBackground.map(({ value }) => value)]).toContain(
      text?.value,
    )
  }
}

describe('texts that are not editable', () => {
  test('are always accepted as this app sends them, whatever changed, and have the required value', () => {
    const given = fc.record({
      old: nodes,
      now: nodes,
      known: person,
      since: person,
      sibling: person,
      first: typing,
      after: typing,
    })
    fc.assert(
      fc.property(given, ({ old, now, known, since, sibling, first, after }) => {
        const versions = [ofVersion(1, old), ofVersion(2, now)] as const
        const [made, newer] = versions
        const begin = (who: PackageSubject) => newCustomisedPackage(made, customiseContext({ person: who, images: [] }))
        const server: Server = { made, versions, lines: [], subject: since }
        const draft = typed(begin(known), first)
        for (const part of [draft, takenUp(draft, begin(since)), takenUp(begin(since), begin(known))])
          expectOwn(taken(part, server), server)

        const line = lineOf(made, { textNodes: taken(draft, server) })
        const edited = typed(customisedPackageFromLine(line, known), after)
        expectOwn(taken(edited, server, line), server, line)

        const copied = typed(
          copyPackage(newer, { line, images: [] }, customiseContext({ person: sibling, images: [] })),
          after,
        )
        const theirs: Server = { made: newer, versions, lines: [line], subject: since }
        expectOwn(taken(copied, theirs), theirs)
      }),
      { numRuns: 150 },
    )
  })
})
