import type { PackageRow } from '#contract/studio/package-sets.ts'
import type { PackageAddon, PackageAddonType } from '#domain/catalogue/catalogue.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { EditorDraft } from './editor-draft.ts'
import { NumberField } from './number-field.tsx'
import styles from './package-editor.module.css'

type PackageDetailsFieldsProps = {
  draft: EditorDraft
  /** Standard packages that an add-on can belong to. */
  standardPackages: readonly PackageRow[]
  errors: Readonly<Record<string, readonly string[]>>
  onChange: (change: Partial<EditorDraft>, group?: string) => void
  onSettled: () => void
}

const addonTypeOptions: readonly { value: PackageAddonType; label: string }[] = [
  { value: 'standard', label: 'A package' },
  { value: 'addon_standard', label: 'An add-on to a package' },
  { value: 'addon_price', label: 'An add-on above a minimum total' },
]

const parseAddonType = (text: string): PackageAddonType =>
  addonTypeOptions.find(({ value }) => value === text)?.value ?? 'standard'

const taxClassOptions = [
  { value: 'standard', label: 'Prints and goods' },
  { value: 'digital', label: 'Downloads' },
]

/** Name, price and description of a package, and how it is sold, offered and taxed. */
export const PackageDetailsFields = ({
  draft,
  standardPackages,
  errors,
  onChange,
  onSettled,
}: PackageDetailsFieldsProps) => (
  <div className={styles.details}>
    <div className={styles.column}>
      <Field label="Name" required errors={errors.name}>
        <TextInput value={draft.name} onValue={(name) => onChange({ name }, 'name')} onBlur={onSettled} />
      </Field>
      <NumberField
        label="Price, $"
        required
        errors={errors.retailCost}
        value={draft.retailCost}
        step={0.5}
        decimals={2}
        onNumber={(price) => onChange({ retailCost: price ?? Number.NaN }, 'price')}
        onBlur={onSettled}
      />
      <Field label="Name customers see" hint="If different from the name above" optional errors={errors.altName}>
        <TextInput
          value={draft.altName ?? ''}
          onValue={(text) => onChange({ altName: text || null }, 'altName')}
          onBlur={onSettled}
        />
      </Field>
      <Field label="Description" hint="What is in it, each on a line" optional errors={errors.altDescription}>
        <TextInput
          type="textarea"
          value={draft.altDescription ?? ''}
          onValue={(text) => onChange({ altDescription: text || null }, 'description')}
          onBlur={onSettled}
        />
      </Field>
    </div>
    <div className={styles.column}>
      <AddonFields {...{ draft, standardPackages, errors, onChange, onSettled }} />
      <fieldset className={styles.choices}>
        <legend>Offered</legend>
        <Checkbox
          label="Before the picture day (prepay)"
          checked={draft.offeredPrepay}
          onValue={(offeredPrepay) => onChange({ offeredPrepay })}
        />
        <Checkbox
          label="In the gallery"
          checked={draft.offeredGallery}
          onValue={(offeredGallery) => onChange({ offeredGallery })}
        />
        {draft.packageAddon.type === 'standard' && (
          <Checkbox
            label="“Most popular” until orders show which one is"
            checked={draft.isRecommended}
            onValue={(isRecommended) => onChange({ isRecommended })}
          />
        )}
        {!draft.offeredPrepay && !draft.offeredGallery && <p>Not offered: choose at least one time.</p>}
      </fieldset>
      <Field label="Taxed as">
        <Select options={taxClassOptions} value={draft.taxClass} onValue={(taxClass) => onChange({ taxClass })} />
      </Field>
    </div>
  </div>
)

const AddonFields = ({
  draft: { packageAddon: addon },
  standardPackages,
  errors,
  onChange,
  onSettled,
}: PackageDetailsFieldsProps) => {
  const changeAddon = (change: Partial<PackageAddon>, group?: string) =>
    onChange({ packageAddon: { ...addon, ...change } }, group)
  const changeType = (type: PackageAddonType) =>
    changeAddon({
      type,
      requiredMinPrice: type === 'addon_price' ? (addon.requiredMinPrice ?? 0) : null,
      requiresStandard: type !== 'standard',
      packageId: type === 'standard' ? null : addon.packageId,
    })
  return (
    <>
      <Field label="Sold as" hint={addon.type === 'standard' ? undefined : 'Only together with a package'}>
        <Select options={addonTypeOptions} value={addon.type} onValue={(type) => changeType(parseAddonType(type))} />
      </Field>
      {addon.type === 'addon_price' && (
        <NumberField
          label="For carts of at least, $"
          hint="The rest of the cart, without this"
          errors={errors['packageAddon.requiredMinPrice']}
          value={addon.requiredMinPrice}
          step={1}
          decimals={2}
          onNumber={(requiredMinPrice) => changeAddon({ requiredMinPrice }, 'minimum')}
          onBlur={onSettled}
        />
      )}
      {addon.type !== 'standard' && (
        <Field label="Goes with" errors={errors['packageAddon.packageId']}>
          <Select
            options={[
              { value: '', label: 'Any package' },
              ...standardPackages.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={String(addon.packageId ?? '')}
            onValue={(id) => changeAddon({ packageId: id === '' ? null : Number(id), requiresStandard: true })}
          />
        </Field>
      )}
    </>
  )
}
