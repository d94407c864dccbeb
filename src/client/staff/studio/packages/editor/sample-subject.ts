import { type AutofillSubject, autofillText, sourceKey } from '#domain/catalogue/autofill.ts'
import { isDigital, type PackageItem } from '#domain/catalogue/catalogue.ts'
import type { PrintContent } from '#ui/print/print-content.ts'

/** A sample subject for previews, with a value for every field. */
export const sampleSubject: AutofillSubject = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  fields: [
    { name: 'Phone', value: '937-555-0142' },
    { name: 'Email', value: 'ada@example.test' },
    { name: 'Date of Birth', value: '12/10/2015' },
    { name: 'Teacher', value: 'Ms. Somerville' },
    { name: 'Grade', value: '4' },
    { name: 'Team', value: 'Rapids' },
    { name: 'Position', value: 'Midfield' },
    { name: 'Jersey Number', value: '12' },
  ],
}

const sampleSourceKeys = new Set(['name', ...sampleSubject.fields.map(({ name }) => sourceKey(name))])

/** The printed content of an item for the sample subject. A text without a value shows the name of its data source or node. */
export const samplePrintContent = (item: PackageItem): PrintContent => {
  const texts = new Map(
    isDigital(item.productCode)
      ? []
      : item.textNodes.map((node) => {
          const { value } = autofillText(node, sampleSubject)
          return [node.id, value || placeholderFor(node.dataSource) || node.name] as const
        }),
  )
  return { images: new Map(), texts }
}

const placeholderFor = (source: string | null): string | null =>
  source && !sampleSourceKeys.has(sourceKey(source)) ? source : null
