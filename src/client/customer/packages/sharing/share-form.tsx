import { type CSSProperties, useState } from 'react'
import { maxSharedImages } from '#contract/customer/share-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { Button } from '#ui/button/button.tsx'
import { Form } from '#ui/form/form.tsx'

type ShareFormProps = {
  images: readonly Image[]
  initialIds: readonly number[]
  isConnected: boolean
  /** Returns what went wrong. */
  onCreate: (imageIds: readonly number[]) => Promise<readonly string[]>
}

type OptionProps = { image: Image; label: string; isChosen: boolean; onChange: (isChosen: boolean) => void }

const Option = ({ image, label, isChosen, onChange }: OptionProps) => (
  // React's style type has no custom properties.
  <label className="sharing-option" style={{ '--shape': image.width / image.height } as CSSProperties}>
    <input
      type="checkbox"
      aria-label={label}
      checked={isChosen}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <img src={image.thumbnailUrl} alt="" width={image.width} height={image.height} loading="lazy" />
  </label>
)

const countLabel = (count: number): string => (count === 1 ? '1 photo chosen' : `${count} photos chosen`)

/** Asks which images to show. */
export const ShareForm = ({ images, initialIds, isConnected, onCreate }: ShareFormProps) => {
  const [chosenIds, setChosenIds] = useState(initialIds)
  const [failure, setFailure] = useState<readonly string[]>([])
  const [isSending, setIsSending] = useState(false)
  // An image may be withdrawn while the dialog is open.
  const shownIds = images.map(({ id }) => id).filter((id) => chosenIds.includes(id))
  const setChosen = (id: number, isChosen: boolean) => {
    setFailure([])
    setChosenIds(isChosen ? [...shownIds, id] : shownIds.filter((other) => other !== id))
  }
  const submit = async () => {
    if (!isConnected) return
    if (shownIds.length === 0) return setFailure(['Choose at least one photo'])
    if (shownIds.length > maxSharedImages) return setFailure([`Choose at most ${maxSharedImages} photos`])
    setIsSending(true)
    const errors = await onCreate(shownIds)
    setFailure(errors)
    setIsSending(false)
  }
  return (
    <Form onSubmit={() => void submit()} loading={isSending} error={failure}>
      <fieldset>
        <legend>Which photos?</legend>
        <div className="sharing-options">
          {images.map((image, index) => (
            <Option
              key={image.id}
              image={image}
              label={`Photo ${index + 1}`}
              isChosen={shownIds.includes(image.id)}
              onChange={(isChosen) => setChosen(image.id, isChosen)}
            />
          ))}
        </div>
        <p className="sharing-soft" role="status">
          {countLabel(shownIds.length)}
        </p>
      </fieldset>
      {!isConnected && (
        <p id="no-share" role="status">
          You’re offline: this needs a connection.
        </p>
      )}
      <Button
        type="submit"
        loading={isSending}
        aria-disabled={!isConnected || undefined}
        aria-describedby={isConnected ? undefined : 'no-share'}
      >
        Create link
      </Button>
    </Form>
  )
}
