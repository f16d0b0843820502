#!/bin/sh
# Installs, updates or removes Weir on Linux. Needs root, tar, OpenSSL 3, and curl or wget.
#   sh install.sh                     installs the latest release, or updates to it
#   sh install.sh --version 1.2.3     a certain one, also an older one
#   sh install.sh --uninstall         removes everything but the data in /var/lib/weir
# Programs are in /opt/weir, settings in /etc/weir.env. --base URL takes releases from somewhere else, --no-start installs only.
set -eu

base='@BASE@'
public_key='@PUBLIC_KEY@'
home=/opt/weir
data=/var/lib/weir
settings=/etc/weir.env
command=/usr/local/bin/weir
wanted=
action=install
starts=yes

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
    --base) base=${2:?--base needs a URL}; shift ;;
    --version) wanted=${2:?--version needs a number}; shift ;;
    --uninstall) action=uninstall ;;
    --no-start) starts=no ;;
    *) fail "unknown option $1" ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || fail 'please run this as root'
[ "$(uname -s)" = Linux ] || fail 'releases are for Linux; see docs/installation.md for other systems'

has_systemd() { [ -d /run/systemd/system ]; }

uninstall() {
  if has_systemd; then
    systemctl disable --now weir-update.path >/dev/null 2>&1 || true
    systemctl disable --now weir >/dev/null 2>&1 || true
  fi
  rm -f /etc/systemd/system/weir.service /etc/systemd/system/weir-update.service /etc/systemd/system/weir-update.path "$command"
  ! has_systemd || systemctl daemon-reload
  if [ -f "$settings" ]; then
    [ ! -d "$data" ] || cp "$settings" "$data/weir.env"
    rm -f "$settings"
  fi
  rm -rf "$home"
  if getent passwd weir >/dev/null; then
    userdel weir 2>/dev/null || deluser --quiet weir || true
  fi
  echo "Weir was removed. Settings and recordings are still in $data."
}

if [ "$action" = uninstall ]; then
  uninstall
  exit 0
fi

case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no release for $(uname -m)" ;;
esac
if command -v curl >/dev/null; then
  download() { curl -fsSL --retry 3 --proto '=http,https' -o "$2" "$1"; }
elif command -v wget >/dev/null; then
  download() { wget -q -t 3 -O "$2" "$1"; }
else
  fail 'please install curl or wget'
fi
for program in tar gzip openssl sha256sum base64; do
  command -v "$program" >/dev/null || fail "please install $program"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' "$public_key" >"$work/key.pem"

# Signed by the maintainers, or nothing of it is used.
fetch_signed() {
  download "$1" "$2" || fail "could not download $1"
  download "$1.minisig" "$2.minisig" || fail "could not download $1.minisig"
  sed -n 2p "$2.minisig" | base64 -d >"$2.raw" 2>/dev/null || fail "the signature of $1 can't be read"
  [ "$(wc -c <"$2.raw")" -eq 74 ] && [ "$(head -c 2 "$2.raw")" = Ed ] || fail "the signature of $1 has an unknown form"
  tail -c 64 "$2.raw" >"$2.sig"
  openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$2" -sigfile "$2.sig" >/dev/null 2>&1 ||
    fail "$1 was not signed by the maintainers of Weir; nothing was changed"
}

installed=
[ ! -e "$home/current/package.json" ] || installed=$("$home/current/bin/weir" version)
if [ -z "$wanted" ]; then
  fetch_signed "$base/latest.json" "$work/latest.json"
  wanted=$(sed -n 's/^  "version": "\([^"]*\)",$/\1/p' "$work/latest.json")
  # An old list of releases, signed as it is, must not take a server back.
  if [ -n "$installed" ] && [ "$(printf '%s\n%s\n' "$installed" "$wanted" | sort -V | tail -n 1)" = "$installed" ] && [ "$installed" != "$wanted" ]; then
    fail "version $installed is installed, which is newer than $wanted. To go back, name it: --version $wanted"
  fi
fi
printf '%s' "$wanted" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+([+-][0-9A-Za-z.+-]+)?$' || fail "'$wanted' is not a version"
if [ "$wanted" = "$installed" ]; then
  echo "Weir $installed is already installed."
  exit 0
fi

name=weir-$wanted-linux-$arch
echo "Downloading Weir $wanted…"
fetch_signed "$base/$wanted/SHA256SUMS" "$work/SHA256SUMS"
line=$(grep -F "  $name.tar.gz" "$work/SHA256SUMS") || fail "release $wanted has no $name.tar.gz"
download "$base/$wanted/$name.tar.gz" "$work/$name.tar.gz" || fail "could not download $base/$wanted/$name.tar.gz"
(cd "$work" && printf '%s\n' "$line" | sha256sum -c --quiet -) || fail 'the download is damaged; nothing was changed'

if ! command -v ffmpeg >/dev/null; then
  if command -v apt-get >/dev/null; then
    echo 'Installing ffmpeg…'
    apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends ffmpeg >/dev/null ||
      echo 'ffmpeg could not be installed. Weir starts without recordings as MP4, forwarding, cameras and SRT.' >&2
  else
    echo 'Please install ffmpeg: until then recordings as MP4, forwarding, cameras and SRT are off.' >&2
  fi
fi

if ! getent passwd weir >/dev/null; then
  if command -v useradd >/dev/null; then
    useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin weir
  else
    adduser -S -D -H -h "$data" weir
  fi
fi
install -d -m 0755 "$home" "$home/releases"
install -d -o weir -g weir -m 0700 "$data"
[ "$(stat -c %U "$data")" = weir ] || chown -R weir:weir "$data"

# Complete before it is named: a broken download or a full disk changes nothing.
rm -rf "$home/releases/$wanted" "$home/releases/.new"
mkdir "$home/releases/.new"
tar -xzf "$work/$name.tar.gz" -C "$home/releases/.new" --strip-components=1 --no-same-owner
mv "$home/releases/.new" "$home/releases/$wanted"

point_to() {
  ln -sfn "releases/$1" "$home/.current"
  mv -T "$home/.current" "$home/current"
  sh "$home/current/deploy/place-units"
}
# Healthy is a server that says this version.
runs() { "$command" health --version "$1" 2>/dev/null; }
previous=$installed
point_to "$wanted"
[ -f "$settings" ] || install -o root -g weir -m 0640 "$home/current/deploy/weir.env" "$settings"

if has_systemd; then
  if [ "$starts" = yes ]; then
    systemctl enable weir >/dev/null 2>&1
    systemctl enable --now weir-update.path >/dev/null 2>&1
    # In place, where one runs: streams are interrupted for about a second.
    systemctl reload-or-restart weir
    healthy=no
    for _ in $(seq 60); do
      if runs "$wanted"; then
        healthy=yes
        break
      fi
      sleep 1
    done
    if [ "$healthy" = no ] && [ -n "$previous" ] && [ -d "$home/releases/$previous" ]; then
      systemctl stop weir
      point_to "$previous"
      # Settings that the new version has migrated can't be opened by the previous one.
      "$command" old-settings || true
      systemctl start weir
      fail "Weir $wanted did not start within a minute, so $previous runs again. See: journalctl -u weir"
    fi
    [ "$healthy" = yes ] || fail 'Weir did not start within a minute. See: journalctl -u weir'
    [ -n "$previous" ] || echo 'The setup URL is in the log: journalctl -u weir -n 40'
  fi
else
  echo "There is no systemd here. To start Weir: cd $data && WEIR_ENV_FILE=$settings $home/current/bin/weir"
fi
# The previous release stays, to go back to.
for old in "$home"/releases/*; do
  case ${old##*/} in
    "$wanted" | "$previous") ;;
    *) rm -rf "$old" ;;
  esac
done
if [ -n "$previous" ]; then echo "Weir was updated from $previous to $wanted."; else echo "Weir $wanted is installed."; fi
