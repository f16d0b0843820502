import { useLocation } from 'react-router';
import { useCredentials } from '../../../lib/credentials.ts';
import { PrivatePage } from '../private-page.tsx';
import { LoginForm } from './login-form.tsx';
import { asksForSignIn } from './sign-in-address.ts';
import { SignInCheck } from './sign-in-check.tsx';

/** A stored sign-in leads on; without one, the form shows only at the sign-in address. */
export function LoginPage() {
  const credentials = useCredentials();
  const { search } = useLocation();
  if (credentials) return <SignInCheck token={credentials.token} />;
  return asksForSignIn(search) ? <LoginForm /> : <PrivatePage />;
}
