import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import classes from './address-form.module.css';

interface AddressFormProps {
  label: string;
  placeholder: string;
  /** Button label. */
  action: string;
  initial: string;
  /** Problem of the last submitted address. */
  error?: string | undefined;
  onSubmit: (address: string) => void;
}

export function AddressForm({ label, placeholder, action, initial, error, onSubmit }: AddressFormProps) {
  const [address, setAddress] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(address.trim());
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field}
        classNames={{ input: classes.input }}
        label={label}
        placeholder={placeholder}
        value={address}
        error={error}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        inputMode="url"
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <Button type="submit" className={classes.button}>
        {action}
      </Button>
    </form>
  );
}
