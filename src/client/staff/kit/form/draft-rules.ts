import { joinFieldErrors, type Rules, validate } from '#domain/shared/validators.ts'

/**
 * The rules of a draft as rules of its form, whose fields have the same names but hold what was typed. Each field of the form has the errors
 * of the draft's field.
 */
export const draftRules = <Form, Draft>(
  rules: Rules<Draft>,
  /** Makes the draft from the form. Text that is not valid must become a value that the rules refuse, such as NaN. */
  toDraft: (form: Form) => Draft,
): Rules<Form> =>
  Object.fromEntries(
    Object.entries(rules).map(([field, rule]) => [
      field,
      (_: unknown, form: Form) => joinFieldErrors(validate(toDraft(form), { [field]: rule })[field]),
    ]),
  )
