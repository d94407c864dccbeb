import { useController, useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'wouter'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, FieldPair, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { formatHundredths, hundredthsInput, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import {
  getPlatformProduct,
  listProductUses,
  listTags,
  type PlatformProduct,
  postPlatformProduct,
  putPlatformProduct,
} from '#contract/system/platform-products.ts'
import type { TaxClass } from '#domain/catalogue/package-preferences.ts'
import { type ProductDraft, productRules, taxClassLabels } from '#domain/platform/product-draft.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { toPage } from '#domain/shared/paging.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { ProductImage } from './product-image.tsx'

const kinds = { print: 'Print', digital: 'Download' } as const

/** Numbers are text until they are saved. */
type Model = {
  code: string
  name: string
  description: string
  isDigital: keyof typeof kinds
  widthInches: string
  heightInches: string
  taxClass: TaxClass
  allowCrop: boolean
  labSku: string
  costCents: string
  suggestedPriceCents: string
  tagIds: number[]
}

const inchesText = (inches: number | null | undefined): string =>
  inches === null || inches === undefined ? '' : String(inches)

const modelOf = (product: PlatformProduct | null): Model => ({
  code: product?.code ?? '',
  name: product?.name ?? '',
  description: product?.description ?? '',
  isDigital: product?.isDigital ? 'digital' : 'print',
  widthInches: inchesText(product?.widthInches),
  heightInches: inchesText(product?.heightInches),
  taxClass: product?.taxClass ?? 'standard',
  allowCrop: product?.allowCrop ?? true,
  labSku: product?.labSku ?? '',
  costCents: formatHundredths(product?.costCents ?? 0, 2),
  suggestedPriceCents: formatHundredths(product?.suggestedPriceCents ?? null, 2),
  tagIds: product?.tagIds ?? [],
})

const inchesOf = (text: string): number | null => (text.trim() === '' ? null : parseNumber(text))

const toDraft = (model: Model): ProductDraft => ({
  ...model,
  isDigital: model.isDigital === 'digital',
  widthInches: model.isDigital === 'digital' ? null : inchesOf(model.widthInches),
  heightInches: model.isDigital === 'digital' ? null : inchesOf(model.heightInches),
  costCents: hundredthsOf(model.costCents) ?? Number.NaN,
  suggestedPriceCents: hundredthsOf(model.suggestedPriceCents),
})

const rules = parsedRules(productRules, toDraft)
const calls = { get: getPlatformProduct, post: postPlatformProduct, put: putPlatformProduct }

const labels = {
  code: 'Code',
  name: 'Name',
  description: 'Description',
  isDigital: 'Kind',
  widthInches: 'Width',
  heightInches: 'Height',
  taxClass: 'Taxed as',
  allowCrop: 'Customers may crop',
  labSku: 'Lab SKU',
  costCents: 'Cost',
  suggestedPriceCents: 'Suggested price',
  tagIds: 'Tags',
} as const

const PrintFields = () => {
  const kind = useWatch<Model, 'isDigital'>({ name: 'isDigital' })
  return (
    kind === 'print' && (
      <>
        <FieldPair>
          <TextField name="widthInches" label={labels.widthInches} hint="In inches" inputMode="decimal" optional />
          <TextField name="heightInches" label={labels.heightInches} hint="In inches" inputMode="decimal" optional />
        </FieldPair>
        <CheckField name="allowCrop" label={labels.allowCrop} hint="In packages that studios build from now on" />
      </>
    )
  )
}

const TagFields = () => {
  const { control } = useFormContext<Model>()
  const { field } = useController({ control, name: 'tagIds' })
  const tags = useStaffQuery(listTags)
  const rows = tags.data ? toPage(tags.data).resultItems : []
  return (
    rows.length > 0 && (
      <fieldset>
        <legend>{labels.tagIds}</legend>
        {rows.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={field.value.includes(id)}
            onValue={(isChosen) =>
              field.onChange(isChosen ? [...field.value, id] : field.value.filter((tagId) => tagId !== id))
            }
          />
        ))}
      </fieldset>
    )
  )
}

const ProductUses = ({ id }: { id: number }) => {
  const { data = [] } = useStaffQuery(listProductUses, { params: { id } })
  if (data.length === 0) return null
  return (
    <section>
      <h3>Used in</h3>
      <ul>
        {data.map(({ studioId, studioName, packageSetId, packageSetName, packageId, packageName }) => (
          <li key={`${studioId} ${packageId}`}>
            <Link href={staffUrls.studio(studioId, `pkg-set-mgmt/${packageSetId}/packages`)}>
              {studioName}: {packageSetName}, {packageName}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ProductDialogProps = { product: PlatformProduct | null; onClose: () => void }

/** Edits a product and its image, and lists the packages that contain it, or creates one for null. */
export const ProductDialog = ({ product, onClose }: ProductDialogProps) => {
  const edit = useResourceForm<Model, PlatformProduct>({
    ...{ noun: 'product', record: product, modelOf, toDraft, rules, calls },
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={product ? 'Edit product' : 'New product'}>
      <EditForm edit={edit} labels={labels}>
        <FieldPair>
          <TextField name="name" label={labels.name} maxLength={200} required />
          <TextField name="code" label={labels.code} maxLength={40} required />
        </FieldPair>
        <TextField name="description" label={labels.description} maxLength={1000} optional />
        <SelectField name="isDigital" label={labels.isDigital} options={optionsOf(kinds)} required />
        <PrintFields />
        <SelectField name="taxClass" label={labels.taxClass} options={optionsOf(taxClassLabels)} required />
        <TextField name="labSku" label={labels.labSku} hint="The lab’s own code" maxLength={100} optional />
        <TextField name="costCents" label={labels.costCents} hint="In dollars" {...hundredthsInput} required />
        <TextField
          name="suggestedPriceCents"
          label={labels.suggestedPriceCents}
          hint="In dollars; studios see it when they add the product"
          {...hundredthsInput}
          optional
        />
        <TagFields />
      </EditForm>
      {product && (
        <>
          <ProductImage product={product} />
          <ProductUses id={product.id} />
        </>
      )}
    </Dialog>
  )
}
