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
import type { PackageSubject } from '#client/customer/packages/package-context.ts'
import type { CartPackage, TextChoice } from '#domain/cart/cart.ts'
import { enforceFixedTexts } from '#domain/cart/fixed-texts.ts'
import { autofillText } from '#domain/catalogue/autofill.ts'
import type { Package, TextNode } from '#domain/catalogue/catalogue.ts'
import { lineOf, packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { ada, customiseContext } from '../package-examples.ts'

const nodesOf = ({ items }: Package): TextNode[] => items.flatMap((item) => item.textNodes)
const packageVersion = (version: number, textNodes: TextNode[]): Package =>
  packageOf({ version, items: [packageItem({ imageNodes: [], textNodes })] })

const subjects: fc.Arbitrary<PackageSubject> = fc
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
type TypedText = { at: number; shown: string }

/** Types each text whose node is editable. */
const typeTexts = (part: CustomisedPackage, texts: TypedText[]): CustomisedPackage =>
  texts.reduce((current, { at, shown }) => {
    const node = nodesOf(current.package)[at]
    if (!node?.editable) return current
    return customiseReducer([current], { do: 'type', part: 0, nodeId: node.id, shown })[0] ?? current
  }, part)

/** Restores a partly completed package from its draft after the subject's data has changed. */
const restoreDraft = (part: CustomisedPackage, newPart: CustomisedPackage): CustomisedPackage =>
  applyDraft([newPart], toCustomiseDraft([part]), { images: [] })[0] ?? newPart

type Server = {
  packageVersion: Package
  versions: readonly Package[]
  lines: readonly CartPackage[]
  subject: PackageSubject
}

const acceptTexts = (
  part: CustomisedPackage,
  { packageVersion, versions, lines, subject }: Server,
  before?: CartPackage,
): TextChoice[] => {
  const existingTexts = lines.flatMap((line) => line.cartPackageItems.flatMap((item) => item.textNodes))
  const texts = enforceFixedTexts(toLineContent(part).textNodes, {
    definition: packageVersion,
    subject,
    before,
    isKnown: (nodeId, value) =>
      versions.some((version) =>
        nodesOf(version).some((textNode) => !textNode.editable && textNode.id === nodeId && textNode.value === value),
      ) || existingTexts.some((text) => text.packageItemTextNodeId === nodeId && text.value === value),
  })
  if (!texts) throw new Error(`rejected: ${JSON.stringify(toLineContent(part).textNodes)}`)
  return texts
}

const expectFixedValues = (
  texts: readonly TextChoice[],
  { packageVersion, subject }: Server,
  before?: CartPackage,
): void => {
  const textsBefore = before?.cartPackageItems.flatMap((item) => item.textNodes) ?? []
  for (const fixedNode of nodesOf(packageVersion).filter(({ editable }) => !editable)) {
    const text = texts.find(({ packageItemTextNodeId }) => packageItemTextNodeId === fixedNode.id)
    const previousTexts = textsBefore.filter(({ packageItemTextNodeId }) => packageItemTextNodeId === fixedNode.id)
    expect([
      fixedNode.value,
      autofillText(fixedNode, subject).value,
      ...previousTexts.map(({ value }) => value),
    ]).toContain(text?.value)
  }
}

describe('texts that are not editable', () => {
  test('are always accepted as this app sends them, whatever changed, and have the required value', () => {
    const inputs = fc.record({
      oldNodes: nodes,
      newNodes: nodes,
      // The subject's data when the customer opened the package, and at the server.
      loaded: subjects,
      current: subjects,
      sibling: subjects,
      typed: typing,
      typedLater: typing,
    })
    fc.assert(
      fc.property(inputs, ({ oldNodes, newNodes, loaded, current, sibling, typed, typedLater }) => {
        const versions = [packageVersion(1, oldNodes), packageVersion(2, newNodes)] as const
        const [oldVersion, newVersion] = versions
        const start = (subject: PackageSubject) =>
          newCustomisedPackage(oldVersion, customiseContext({ subject, images: [] }))
        const server: Server = { packageVersion: oldVersion, versions, lines: [], subject: current }
        const draft = typeTexts(start(loaded), typed)
        for (const part of [draft, restoreDraft(draft, start(current)), restoreDraft(start(current), start(loaded))])
          expectFixedValues(acceptTexts(part, server), server)

        const line = lineOf(oldVersion, { textNodes: acceptTexts(draft, server) })
        const editedPart = typeTexts(customisedPackageFromLine(line, loaded), typedLater)
        expectFixedValues(acceptTexts(editedPart, server, line), server, line)

        const copied = typeTexts(
          copyPackage(newVersion, { line, images: [] }, customiseContext({ subject: sibling, images: [] })),
          typedLater,
        )
        const siblingServer: Server = { packageVersion: newVersion, versions, lines: [line], subject: current }
        expectFixedValues(acceptTexts(copied, siblingServer), siblingServer)
      }),
      { numRuns: 150 },
    )
  })
})
