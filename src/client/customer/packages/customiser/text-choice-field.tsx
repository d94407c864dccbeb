import type { TextNode } from '#domain/catalogue/catalogue.ts'
import { brokenMaskMessage, isBrokenMask, isMasked } from '#domain/catalogue/mask.ts'
import { unprintableLetters, unprintableMessage } from '#domain/printing/printable-letters.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { CustomiseAction } from './customise-reducer.ts'
import { fieldIdOf } from './customise-steps.ts'
import { type TextEntry, unmaskedText } from './customised-package.ts'

/** Maximum length of a printed text; the same as in the contract. */
const maxTextLength = 200

type TextChoiceFieldProps = {
  node: TextNode
  field: TextEntry
  isTooLong: boolean
  part: number
  missing: boolean
  dispatch: (action: CustomiseAction) => void
}

const errorMessage = (node: TextNode, field: TextEntry, missing: boolean): string | null => {
  if (isBrokenMask(field)) return brokenMaskMessage
  const unprintable = unprintableLetters(unmaskedText(field))
  if (unprintable.length > 0)
    return `${unprintableMessage(unprintable)}${node.editable ? '' : '. Only the studio can change it'}`
  return missing && field.shown.trim() === '' ? validationMessages.required : null
}

/**
 * A text of an item, shown on the print while it is typed. A mask is replaced as a whole, so that it is not edited by
 * accident.
 */
export const TextChoiceField = ({ node, field, isTooLong, part, missing, dispatch }: TextChoiceFieldProps) => (
  <Field
    id={fieldIdOf(part, 'text', node.id)}
    label={node.name}
    required
    errors={errorMessage(node, field, missing)}
    hint={isTooLong ? 'Too long to read at this size' : isMasked(field) && 'Hidden here, printed in full'}
  >
    <TextInput
      value={field.shown}
      maxLength={maxTextLength}
      readOnly={!node.editable}
      autoComplete="off"
      autoCapitalize="words"
      enterKeyHint="done"
      onFocus={(event) => {
        if (event.currentTarget.value.includes('***')) event.currentTarget.select()
      }}
      onValue={(shown) => dispatch({ do: 'type', part, nodeId: node.id, shown })}
    />
  </Field>
)
