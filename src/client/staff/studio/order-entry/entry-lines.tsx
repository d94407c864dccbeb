import Trash from 'lucide-react/icons/trash-2'
import type { CSSProperties } from 'react'
import { usePreferences } from '#client/staff/kit/query/use-preferences.ts'
import type { EntryForm, EntryPackage } from '#contract/studio/order-entry.ts'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import type { OrderMethod, Package } from '#domain/catalogue/catalogue.ts'
import { needsImage, requiredImageKinds } from '#domain/orders/paper-order.ts'
import { formatMoney, timesCents, toCents } from '#domain/pricing/money.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { CropButtons } from './crop-buttons.tsx'
import { withImage } from './entry-crops.ts'
import { type EntryFormLine, requiredTexts } from './entry-form-values.ts'
import styles from './order-entry.module.css'
import type { EntryErrors } from './use-entry-price.ts'

type LinesProps = {
  lines: readonly EntryFormLine[]
  packages: readonly EntryPackage[]
  organizationType: EntryForm['organizationType']
  orderMethod: OrderMethod
  faults: EntryErrors
  onChange: (lines: EntryFormLine[]) => void
}

type LineProps = {
  line: EntryFormLine
  entryPackage: EntryPackage
  organizationType: EntryForm['organizationType']
  orderMethod: OrderMethod
  errors: string[] | undefined
  onChange: (change: Partial<EntryFormLine>) => void
  onRemove: () => void
}

type LineImagesProps = Pick<LineProps, 'line' | 'onChange'> & { packageDefinition: Package }

/** The image choices of a package: which of the subject's images fit which nodes, with labels. */
const imageChoicesOf = ({ subject }: EntryFormLine, packageDefinition: Package) => {
  const { own, groups } = requiredImageKinds(packageDefinition)
  // A node that is not a group's may use the group image, too.
  const forOwn = groups ? subject.pictures.filter(({ isGroup }) => !isGroup) : subject.pictures
  const forGroups = subject.pictures.filter(({ isGroup }) => isGroup)
  return [
    ...(own ? [{ which: 'imageId', label: 'Picture', pictures: forOwn } as const] : []),
    ...(groups ? [{ which: 'groupImageId', label: 'Group picture', pictures: forGroups } as const] : []),
  ]
}

/** The same choice as thumbnails: paper forms that describe a pose carry no number. */
const Thumbnails = ({ line, packageDefinition, onChange }: LineImagesProps) => {
  const { preferences } = usePreferences()
  const thumbnails = imageChoicesOf(line, packageDefinition).flatMap(({ which, pictures }) =>
    pictures.flatMap((image) => (image.thumbnailUrl === undefined ? [] : [{ which, ...image }])),
  )
  if (thumbnails.length === 0) return null
  return (
    <ul
      className={styles.thumbnails}
      style={{ '--images-per-row': preferences.buildImagesPerRow } as CSSProperties} // a custom property
      aria-label="Pictures to choose from"
    >
      {thumbnails.map(({ which, imageId, number, fileName, thumbnailUrl }) => (
        <li key={imageId}>
          <button
            type="button"
            aria-pressed={line[which] === imageId}
            aria-label={`Picture ${number}, ${fileName}`}
            onClick={() => onChange(withImage(line, { which, imageId, packageDefinition }))}
          >
            <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" />
            <span className="tabular">{number}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const ImageSelects = ({ line, packageDefinition, onChange }: LineImagesProps) =>
  imageChoicesOf(line, packageDefinition).map(({ which, label, pictures }) => (
    <Field key={which} label={label} className={styles.picture}>
      <Select
        value={String(line[which] ?? '')}
        placeholder={pictures.length > 0 ? 'Choose' : 'None yet'}
        options={pictures.map(({ imageId, number, fileName, isGroup }) => ({
          value: String(imageId),
          label: `${number} · ${fileName}${isGroup ? ' (group)' : ''}`,
        }))}
        onValue={(value) =>
          onChange(withImage(line, { which, imageId: value === '' ? null : Number(value), packageDefinition }))
        }
      />
    </Field>
  ))

const Line = ({ line, entryPackage, organizationType, orderMethod, errors, onChange, onRemove }: LineProps) => {
  const { package: packageDefinition } = entryPackage
  const textNodes = requiredTexts(line, entryPackage)
  const cents = timesCents(toCents(packageDefinition.retailCost), line.quantity)
  const choosesPicture = orderMethod === 'gallery' && needsImage(packageDefinition)
  return (
    <li className={styles.line} data-line={line.id}>
      <div className={styles.lineHead}>
        <p className={styles.lineName}>
          <strong>
            {entryPackage.number} {packageDefinition.name}
          </strong>
          <span>
            {line.subject.firstName} {line.subject.lastName}
          </span>
        </p>
        <div className={styles.lineEnd}>
          <Field label="Quantity" hideLabel className={styles.quantity}>
            <TextInput
              type="number"
              min={1}
              max={maxLineQuantity}
              value={String(line.quantity)}
              aria-label={`Quantity of ${packageDefinition.name}`}
              onValue={(value) => {
                const quantity = Math.round(parseNumber(value))
                if (quantity >= 1 && quantity <= maxLineQuantity) onChange({ quantity })
              }}
            />
          </Field>
          <span className={`tabular ${styles.cents}`}>{formatMoney(cents)}</span>
          <IconButton icon={Trash} label={`Take ${packageDefinition.name} off`} onClick={onRemove} />
        </div>
      </div>
      {(textNodes.length > 0 || choosesPicture) && (
        <div className={styles.asked} data-asked>
          {choosesPicture && <ImageSelects line={line} packageDefinition={packageDefinition} onChange={onChange} />}
          {textNodes.map(({ id, name }) => (
            <Field key={id} label={name}>
              <TextInput
                autoComplete="off"
                value={line.texts[id] ?? ''}
                onValue={(value) => onChange({ texts: { ...line.texts, [id]: value } })}
              />
            </Field>
          ))}
        </div>
      )}
      {choosesPicture && <Thumbnails line={line} packageDefinition={packageDefinition} onChange={onChange} />}
      {choosesPicture && (
        <CropButtons line={line} entryPackage={entryPackage} organizationType={organizationType} onChange={onChange} />
      )}
      {errors && <p className={styles.fault}>{errors.join(' ')}</p>}
    </li>
  )
}

/** The lines of the form, with what each package still requires. */
export const EntryLines = ({ lines, packages, faults, onChange, ...form }: LinesProps) => {
  if (lines.length === 0) return <p className={styles.empty}>The packages you enter appear here.</p>
  return (
    <ul className={styles.lines} aria-label="On the form">
      {lines.map((line, index) => {
        const entryPackage = packages.find((one) => one.package.id === line.packageId)
        if (!entryPackage) return null
        const others = lines.filter((one) => one !== line)
        return (
          <Line
            key={line.id}
            line={line}
            entryPackage={entryPackage}
            {...form}
            errors={faults[`lines.${index}`]}
            onChange={(change) => onChange(lines.map((one) => (one === line ? { ...line, ...change } : one)))}
            onRemove={() => onChange(others)}
          />
        )
      })}
    </ul>
  )
}
