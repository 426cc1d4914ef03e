package main

import "testing"

func TestMasked(t *testing.T) {
	for _, option := range [][2]string{
		{"password", "x"}, {"properties.ssl.truststore.password", "x"}, {"s3.access-key", "x"}, {"s3.secret.key", "x"}, {"api_key", "x"}, {"fs.azure.account.key", "x"},
		{"properties.sasl.jaas.config", "x"}, {"bearer-token", "x"}, {"credentials.provider", "x"}, {"PASSPHRASE", "x"},
		{"url", "jdbc:mysql://root:hunter2@db/x"}, {"url", "https://user@host/"}, {"url", "jdbc:postgresql://db/x?user=a&password=b"}, {"options", `{"secret": "x"}`}, {"url", "wasb://x?sig=abc"},
		{"url", "jdbc:oracle:thin:scott/tiger@host:1521"}, {"url", "ftp://me:a/b@host/"}, {"headers", "Authorization: Bearer abc"}, {"headers", "X-API-Key: abc"}, {"url", "http://x/?api_key=1"},
		{"account", `{"private_key":"x"}`}, {"pem", "-----BEGIN PRIVATE KEY-----"}, {"id", "AKIAIOSFODNN7EXAMPLE"}, {"jwt", "eyJhbGciOi.x.y"}, {"dsn", "u:p@tcp(db)/x"},
		{"pw", "x"}, {"schema.userinfo", "a:b"}, {"ssh_key", "x"}, {"x-functions-key", "x"}, {"license", "x"},
	} {
		if got := masked(option[0], option[1]); got != mask {
			t.Errorf("%s = %s", option[0], got)
		}
	}
	for _, option := range [][2]string{
		{"connector", "kafka"}, {"key.format", "json"}, {"key.fields", "id"}, {"properties.bootstrap.servers", "a:9092,b:9092"}, {"path", "file:///lab/joins/joins_orders.csv"},
		{"url", "jdbc:mysql://db:3306/x"}, {"topic", "orders"}, {"value.fields-include", "EXCEPT_KEY"}, {"scan.startup.mode", "earliest-offset"},
	} {
		if got := masked(option[0], option[1]); got != option[1] {
			t.Errorf("%s = %s is masked", option[0], option[1])
		}
	}
}
