import Trash from 'lucide-react/icons/trash-2'
import type { CSSProperties } from 'react'
import { usePreferences } from '#client/staff/kit/query/use-staff-query.ts'
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
import { imageChangePatch } from './entry-crops.ts'
import { type EntryFormLine, requiredTexts } from './entry-form-values.ts'
import styles from './order-entry.module.css'
import type { EntryErrors } from './use-entry-price.ts'

type EntryLinesProps = {
  lines: readonly EntryFormLine[]
  packages: readonly EntryPackage[]
  organizationType: EntryForm['organizationType']
  orderMethod: OrderMethod
  faults: EntryErrors
  onChange: (lines: EntryFormLine[]) => void
}

type EntryLineProps = {
  line: EntryFormLine
  entryPackage: EntryPackage
  organizationType: EntryForm['organizationType']
  orderMethod: OrderMethod
  errors: string[] | undefined
  onChange: (change: Partial<EntryFormLine>) => void
  onRemove: () => void
}

type LineImagesProps = Pick<EntryLineProps, 'line' | 'onChange'> & { packageDefinition: Package }

/** The images that can be chosen for a line: for the subject's image nodes, and for the group nodes. */
const imageChoicesOf = ({ subject }: EntryFormLine, packageDefinition: Package) => {
  const { own: needsOwnImage, groups: needsGroupImage } = requiredImageKinds(packageDefinition)
  // Without group nodes, a group image may be chosen for the other image nodes.
  const ownImages = needsGroupImage ? subject.images.filter(({ isGroup }) => !isGroup) : subject.images
  const groupImages = subject.images.filter(({ isGroup }) => isGroup)
  return [
    ...(needsOwnImage ? [{ imageField: 'imageId', label: 'Image', images: ownImages } as const] : []),
    ...(needsGroupImage ? [{ imageField: 'groupImageId', label: 'Group image', images: groupImages } as const] : []),
  ]
}

/** The images as thumbnails to choose from, for paper forms that describe the image instead of giving its number. */
const ImageThumbnails = ({ line, packageDefinition, onChange }: LineImagesProps) => {
  const { preferences } = usePreferences()
  const thumbnails = imageChoicesOf(line, packageDefinition).flatMap(({ imageField, images }) =>
    images.flatMap((image) => (image.thumbnailUrl === undefined ? [] : [{ imageField, ...image }])),
  )
  if (thumbnails.length === 0) return null
  return (
    <ul
      className={styles.thumbnails}
      style={{ '--images-per-row': preferences.buildImagesPerRow } as CSSProperties} // a custom property
      aria-label="Images to choose from"
    >
      {thumbnails.map(({ imageField, imageId, number, fileName, thumbnailUrl }) => (
        <li key={imageId}>
          <button
            type="button"
            aria-pressed={line[imageField] === imageId}
            aria-label={`Image ${number}, ${fileName}`}
            onClick={() => onChange(imageChangePatch(line, { imageField, imageId, packageDefinition }))}
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
  imageChoicesOf(line, packageDefinition).map(({ imageField, label, images }) => (
    <Field key={imageField} label={label} className={styles.imageSelect}>
      <Select
        value={String(line[imageField] ?? '')}
        placeholder={images.length > 0 ? 'Choose' : 'None yet'}
        options={images.map(({ imageId, number, fileName, isGroup }) => ({
          value: String(imageId),
          label: `${number} · ${fileName}${isGroup ? ' (group)' : ''}`,
        }))}
        onValue={(value) =>
          onChange(
            imageChangePatch(line, { imageField, imageId: value === '' ? null : Number(value), packageDefinition }),
          )
        }
      />
    </Field>
  ))

const EntryLine = ({
  line,
  entryPackage,
  organizationType,
  orderMethod,
  errors,
  onChange,
  onRemove,
}: EntryLineProps) => {
  const { package: packageDefinition } = entryPackage
  const textNodes = requiredTexts(line, entryPackage)
  const totalCents = timesCents(toCents(packageDefinition.retailCost), line.quantity)
  const choosesImage = orderMethod === 'gallery' && needsImage(packageDefinition)
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
          <span className={`tabular ${styles.linePrice}`}>{formatMoney(totalCents)}</span>
          <IconButton icon={Trash} label={`Remove ${packageDefinition.name}`} onClick={onRemove} />
        </div>
      </div>
      {(textNodes.length > 0 || choosesImage) && (
        <div className={styles.lineFields} data-asked>
          {choosesImage && <ImageSelects line={line} packageDefinition={packageDefinition} onChange={onChange} />}
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
      {choosesImage && <ImageThumbnails line={line} packageDefinition={packageDefinition} onChange={onChange} />}
      {choosesImage && (
        <CropButtons line={line} entryPackage={entryPackage} organizationType={organizationType} onChange={onChange} />
      )}
      {errors && <p className={styles.error}>{errors.join(' ')}</p>}
    </li>
  )
}

/** The lines of the form, with the images and texts that each package requires. */
export const EntryLines = ({ lines, packages, faults, onChange, ...lineProps }: EntryLinesProps) => {
  if (lines.length === 0) return <p className={styles.empty}>The packages you enter appear here.</p>
  return (
    <ul className={styles.lines} aria-label="On the form">
      {lines.map((line, index) => {
        const entryPackage = packages.find(({ package: { id } }) => id === line.packageId)
        if (!entryPackage) return null
        const otherLines = lines.filter((other) => other !== line)
        return (
          <EntryLine
            key={line.id}
            line={line}
            entryPackage={entryPackage}
            {...lineProps}
            errors={faults[`lines.${index}`]}
            onChange={(change) => onChange(lines.map((other) => (other === line ? { ...line, ...change } : other)))}
            onRemove={() => onChange(otherLines)}
          />
        )
      })}
    </ul>
  )
}
