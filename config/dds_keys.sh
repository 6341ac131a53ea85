#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes what nodes need for `security:` of a device of the driver dds: an authority, and for each node a certificate, its
# key, and what it may do. Each gets its folder and nothing else; who has DIR/authority can make more nodes.
#
#   sh config/dds_keys.sh DIR DOMAIN SYSTEM NODE...
set -eu
umask 077

if [ $# -lt 4 ]; then
  echo "usage: dds_keys.sh DIR DOMAIN SYSTEM NODE..." >&2
  exit 1
fi
dir=$1 domain=$2 system=$3
shift 3
days=3650
authority=$dir/authority
if ! command -v openssl >/dev/null; then
  echo "dds_keys.sh: openssl is missing (apt install openssl)" >&2
  exit 1
fi

new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
sign() { openssl smime -sign -text -in "$1" -out "$2" -signer "$authority/cert.pem" -inkey "$authority/key.pem"; }

mkdir -p "$authority"
if [ ! -e "$authority/cert.pem" ]; then
  new_key "$authority/key.pem"
  openssl req -x509 -new -key "$authority/key.pem" -sha256 -days $days -subj "/O=$system/CN=authority" \
    -out "$authority/cert.pem"
fi

# All that is sent is encrypted and authenticated, and nobody is heard whom the authority does not know.
cat >"$authority/governance.xml" <<XML
<?xml version="1.0" encoding="utf-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
     xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_governance.xsd">
  <domain_access_rules>
    <domain_rule>
      <domains><id>$domain</id></domains>
      <allow_unauthenticated_participants>false</allow_unauthenticated_participants>
      <enable_join_access_control>true</enable_join_access_control>
      <discovery_protection_kind>ENCRYPT</discovery_protection_kind>
      <liveliness_protection_kind>ENCRYPT</liveliness_protection_kind>
      <rtps_protection_kind>NONE</rtps_protection_kind>
      <topic_access_rules>
        <topic_rule>
          <topic_expression>*</topic_expression>
          <enable_discovery_protection>true</enable_discovery_protection>
          <enable_liveliness_protection>true</enable_liveliness_protection>
          <enable_read_access_control>true</enable_read_access_control>
          <enable_write_access_control>true</enable_write_access_control>
          <metadata_protection_kind>ENCRYPT</metadata_protection_kind>
          <data_protection_kind>NONE</data_protection_kind>
        </topic_rule>
      </topic_access_rules>
    </domain_rule>
  </domain_access_rules>
</dds>
XML

topics="<topics><topic>hild_signals</topic><topic>hild_plan</topic><topic>hild_health</topic></topics>
          <partitions><partition>$system</partition></partitions>"
for node in "$@"; do
  own=$dir/$node
  mkdir -p "$own"
  new_key "$own/key.pem"
  openssl req -new -key "$own/key.pem" -sha256 -subj "/O=$system/CN=$node" -out "$own/request.pem"
  openssl x509 -req -in "$own/request.pem" -CA "$authority/cert.pem" -CAkey "$authority/key.pem" -CAcreateserial \
    -sha256 -days $days -out "$own/cert.pem" 2>/dev/null
  cat >"$own/permissions.xml" <<XML
<?xml version="1.0" encoding="utf-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
     xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_permissions.xsd">
  <permissions>
    <grant name="$node">
      <subject_name>O=$system,CN=$node</subject_name>
      <validity>
        <not_before>$(date -u +%Y-%m-%dT00:00:00)</not_before>
        <not_after>$(date -u -d "+$days days" +%Y-%m-%dT00:00:00)</not_after>
      </validity>
      <allow_rule>
        <domains><id>$domain</id></domains>
        <publish>
          $topics
        </publish>
        <subscribe>
          $topics
        </subscribe>
      </allow_rule>
      <default>DENY</default>
    </grant>
  </permissions>
</dds>
XML
  sign "$authority/governance.xml" "$own/governance.p7s"
  sign "$own/permissions.xml" "$own/permissions.p7s"
  cp "$authority/cert.pem" "$own/identity_ca.cert.pem"
  cp "$authority/cert.pem" "$own/permissions_ca.cert.pem"
  rm "$own/request.pem" "$own/permissions.xml"
done
echo "$dir: of $*, each for its machine; $authority stays where nobody else is"
